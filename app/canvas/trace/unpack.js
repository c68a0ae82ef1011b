// Turns packed text back into numbers, once, when a trace arrives.

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

/** @param {string} text */
export function unpack(text) {
  let number = 0;
  for (const digit of text) number = number * 64 + DIGITS.indexOf(digit);
  return number;
}

/** Gives pairs of a position and a weight in thousandths. @param {string} text @returns {Pairs} */
export function unpackPairs(text) {
  return pieces(text, 4).map((piece) => [unpack(piece.slice(0, 2)), unpack(piece.slice(2))]);
}

/** @param {string} text @param {number} length */
export function pieces(text, length) {
  return Array.from({ length: text.length / length }, (_, at) =>
    text.slice(at * length, (at + 1) * length),
  );
}

/** Reads what app/kit/compressed.py wrote. @param {string} text @returns {Promise<any>} */
export function decompressJson(text) {
  const signs = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(signs, (sign) => sign.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

/** Leaves what was sent as it is: it may be sent again. @param {PackedTrace} trace @returns {Trace} */
export function unpackTrace(trace) {
  const { pointer, attention } = trace.steps;
  const weights = { pointer: pointer.map(unpackPairs), attention: attention.map(unpackPairs) };
  return { ...trace, steps: { ...trace.steps, ...weights } };
}
