"""Names of places behind the words for what comes from there: "Dutch" is of "Netherlands".

Common knowledge, for the templates of SUBGRAPH. The names are those that AMR graphs have:
"America" and "Britain" for the words people use, not the states' full names.
"""

from __future__ import annotations

_WORDS = """
Afghan=Afghanistan African=Africa Albanian=Albania Algerian=Algeria American=America
Andean=Andes Angolan=Angola Antarctic=Antarctica Arab=Arabia Arabian=Arabia
Argentine=Argentina Argentinian=Argentina Armenian=Armenia Asian=Asia Australian=Australia
Austrian=Austria Azerbaijani=Azerbaijan Balkan=Balkans Bangladeshi=Bangladesh
Basque=Basque_Country Belarusian=Belarus Belgian=Belgium Bolivian=Bolivia Bosnian=Bosnia
Brazilian=Brazil Briton=Britain British=Britain Bulgarian=Bulgaria Burmese=Burma
Californian=California Cambodian=Cambodia Cameroonian=Cameroon Canadian=Canada
Catalan=Catalonia Caucasian=Caucasus Chadian=Chad Chechen=Chechnya Chilean=Chile
Chinese=China Colombian=Colombia Congolese=Congo Croat=Croatia
Croatian=Croatia Cuban=Cuba Cypriot=Cyprus Czech=Czech_Republic Dane=Denmark Danish=Denmark
Dominican=Dominican_Republic Dutch=Netherlands Ecuadorian=Ecuador Egyptian=Egypt
English=England Eritrean=Eritrea Estonian=Estonia Ethiopian=Ethiopia Eurasian=Eurasia
European=Europe Fijian=Fiji Filipino=Philippines Finn=Finland Finnish=Finland
Flemish=Flanders Floridian=Florida French=France Georgian=Georgia German=Germany
Ghanaian=Ghana Greek=Greece Guatemalan=Guatemala Haitian=Haiti Hawaiian=Hawaii
Himalayan=Himalayas Honduran=Honduras Hungarian=Hungary Icelandic=Iceland Indian=India
Indonesian=Indonesia Iranian=Iran Iraqi=Iraq Irish=Ireland Israeli=Israel Italian=Italy
Jamaican=Jamaica Japanese=Japan Jordanian=Jordan Kazakh=Kazakhstan Kenyan=Kenya
Korean=Korea Kosovar=Kosovo Kuwaiti=Kuwait Kyrgyz=Kyrgyzstan Laotian=Laos Latvian=Latvia
Lebanese=Lebanon Liberian=Liberia Libyan=Libya Lithuanian=Lithuania Londoner=London
Macedonian=Macedonia Malaysian=Malaysia Malian=Mali Maltese=Malta Mexican=Mexico
Moldovan=Moldova Mongolian=Mongolia Montenegrin=Montenegro Moroccan=Morocco
Mozambican=Mozambique Namibian=Namibia Nepalese=Nepal Nepali=Nepal Nicaraguan=Nicaragua
Nigerian=Nigeria Norwegian=Norway Omani=Oman Pakistani=Pakistan Palestinian=Palestine
Panamanian=Panama Paraguayan=Paraguay Parisian=Paris Persian=Persia Peruvian=Peru
Pole=Poland Polish=Poland Portuguese=Portugal Prussian=Prussia Qatari=Qatar Roman=Rome
Romanian=Romania Russian=Russia Rwandan=Rwanda Salvadoran=El_Salvador Saudi=Saudi_Arabia
Scandinavian=Scandinavia Scot=Scotland Scottish=Scotland Senegalese=Senegal Serb=Serbia
Serbian=Serbia Siberian=Siberia Singaporean=Singapore Slovak=Slovakia Slovene=Slovenia
Slovenian=Slovenia Somali=Somalia Soviet=Soviet_Union Spaniard=Spain Spanish=Spain
Sudanese=Sudan Swede=Sweden Swedish=Sweden Swiss=Switzerland Syrian=Syria Taiwanese=Taiwan
Tajik=Tajikistan Tanzanian=Tanzania Texan=Texas Thai=Thailand Tibetan=Tibet Trojan=Troy
Tunisian=Tunisia Turk=Turkey Turkish=Turkey Turkmen=Turkmenistan Ugandan=Uganda
Ukrainian=Ukraine Uruguayan=Uruguay Uzbek=Uzbekistan Venetian=Venice Venezuelan=Venezuela
Vietnamese=Vietnam Viennese=Vienna Welsh=Wales Yemeni=Yemen Yugoslav=Yugoslavia
Zambian=Zambia Zimbabwean=Zimbabwe
"""

PLACES: dict[str, str] = {
    word: place.replace("_", " ")
    for word, _, place in (entry.partition("=") for entry in _WORDS.split())
}
"""For each word the name of its place; written with a capital as in English text."""


def place_of(word: str) -> str | None:
    """Give the place that a word is of, also for its plural ("Germans").

    >>> place_of("Danes"), place_of("dutch"), place_of("tall")
    ('Denmark', 'Netherlands', None)
    """
    written = word[:1].upper() + word[1:]
    return PLACES.get(written) or PLACES.get(written.removesuffix("s"))
