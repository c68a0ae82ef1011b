// The shapes that the canvas works with: what the page sends, what it is sent, and what the
// views hold. For `tsc` alone: no browser reads this. Shares and weights are in thousandths.

// --- elements and outboxes ----------------------------------------------------------------

/** What Streamlit gives a component each time that it is drawn. */
interface Component<Data> {
  parentElement: Element;
  data: Data;
  setStateValue: Reply;
}
/** Sends to the page. */
type Reply = (name: string, value: unknown) => void;
type Attributes = Record<string, string | number | boolean | null | undefined>;
/** What an element is made with: a child, its text, attributes. */
type Part = Node | string | Attributes;
type Tag = keyof HTMLElementTagNameMap;
type Find = ReturnType<typeof import("./shared/elements.js").finderIn>;

interface Outbox<Message> {
  number: number; // of the newest message
  acked: number; // up to where the page has taken them
  messages: (Message & { number: number })[];
  tries: number; // how often they were sent
  timer: number; // of the next time
}

// --- drawn graphs -------------------------------------------------------------------------

interface DrawnNode {
  name: string; label: string; constant?: boolean; root?: boolean;
  shown: string; // the label, cut where it is long
  x: number; y: number; w: number; h: number; // of its middle, in points
}
interface DrawnEdge {
  source: number; role: string; target: number; repair?: boolean; // places of the nodes
  ends?: Ends; // their names and the role, where the graph is edited
  path: string; head: string; label: [number, number];
}
interface Graph { nodes: readonly DrawnNode[]; edges: readonly DrawnEdge[]; width: number; height: number }
/** A node, an edge, a token or a triple by its place. */
interface Picked { kind: string; place: number }
/** A graph on a stage. */
interface Drawing {
  stage: HTMLElement; graph: Graph; svg: SVGSVGElement; nodes: SVGGElement[]; edges: SVGGElement[];
  incident: number[][]; // places of the edges at each node
  margin: number; // around the graph, in points
  zoom: number | null; // chosen scale; null for one that fits and can be read
  most: number; // largest scale that is taken to fill the stage
  room: [width: number, height: number]; // of the stage, in pixels, as it was last looked at
  factor: number; // pixels of the page to a point
  isNear: boolean; // whether all but a part and its neighbours is dimmed
}

// --- traces -------------------------------------------------------------------------------

/** Positions, each with a weight. */
type Pairs = [number, number][];
type Triple = [source: string, role: string, target: string];
type TraceNode = DrawnNode & { step: number; inside?: boolean; dropped?: boolean; goal?: boolean };
type TraceEdge = DrawnEdge & { step: number; goal?: boolean };
/** A column for each thing that a moment has; actions and others by their place among the texts. */
interface Steps<Weights> {
  action: number[]; // one fewer than moments
  shown?: number[]; // the same as people read them
  others: [text: number, share: number, shown: number][][];
  cursor: number[]; start: number[]; say: string[];
  barred?: (number[] | null)[]; // nodes that an action which names an item could not name
  points: number[]; // 1 where the action to come names an earlier item
  p: (number | null)[]; entropy: (number | null)[]; forced: number[];
  legal: number[]; // places among the rules
  pointer: Weights[]; pointerRest: number[]; attention: Weights[]; attentionRest: number[];
}
interface TraceOf<Weights> {
  key: string; tokens: string[]; texts: string[]; kinds: string[];
  start: number; // the moment that it opens at
  rules: number[][]; // for each kind -1 where it is legal, else the text of the reason
  steps: Steps<Weights>; nodes: TraceNode[]; edges: TraceEdge[]; width: number; height: number;
  triples: [step: number, source: string, role: string, target: string, repair: number][];
  repairs: string[]; penman: string; cut: string;
  unscored?: boolean; // no model decided anything
  holds?: string[]; // what can be opened
}
/** A hypothesis by its step and its place among those of the step. */
type Place = [step: number, row: number];
type Hypotheses = [action: number, score: number, parent: number, fate: number][];
interface Beam {
  first: number; // step of the first entry
  steps: Hypotheses[]; path: number[]; actions: [bare: string, shown: string][];
}
/** Heads of one kind; `first` is what the first of the things that they look at is called. */
interface HeadBlock {
  over: string; first: number; layers: number; heads: number; kept: number; names: string[]; weights: string[];
}
interface HypothesisSent {
  at: Place; graph: Graph | null; // null where not all of its actions are listed, or a file has no room
}
/** The graphs of all hypotheses, each once, and which is whose, by step and row; -1 where none is. */
interface Built { graphs: Graph[]; places: number[][] }
interface Opened {
  beam?: Beam; heads?: HeadBlock[]; hypothesis?: HypothesisSent;
  isWhole?: boolean; graphs?: string; // in a file, where nothing can be asked for: compressed
}
interface Column {
  at: number; // the step that it shows
  group: HTMLElement; head: HTMLElement; rows: HTMLElement[]; lines: SVGSVGElement; paths: SVGPathElement[];
}
type PackedTrace = TraceOf<string>;
type Trace = TraceOf<Pairs>;
type Now = ReturnType<typeof import("./trace/view.js").stepAt>;
type ShownTrace = PackedTrace & {
  opened?: Opened;
  turn?: number; // counts what was asked for by a person: the newest takes the focus
  awaits?: boolean; // whether such a one is still to come
  led?: number; // rises with every address that leads to a moment: Back to another of the same trace
  whatif?: WhatIf; marks?: Marks | null; exercise?: Exercise; terms?: Record<string, string>;
};
/** Places of nodes, edges and tokens, and steps, that belong together. */
type Belongings = Record<string, Set<number>>;
type Share = "chosen" | "others" | "pointer" | "attention";
interface View {
  root: HTMLElement; gone: AbortController; signal: AbortSignal; // ends its listeners
  find: Find; trace: Trace; drawing: Drawing;
  report: (at: { key: string; step: number; asked: number }) => void; // tells where a person stays
  step: number; // the moment that is shown: how many actions are taken
  drawn: number; // the one in sight: a step is drawn with the next frame
  head: number; // whose attention shades the tokens
  timer: number; frame: number; playing: number; // 0 where nothing waits
  awaits: boolean; // whether what a person asked for is still to come
  led?: number; // the newest that was followed
  typing: boolean; // whether a field of the page was written in since its last Enter
  pointedAt: Element | null; // what a pointer gave the focus to, outside the canvas
  words: string[]; // the tokens, and the end
  tokens: HTMLElement[]; jumps: HTMLElement[]; shownJumps: HTMLElement[]; // done, next
  triples: HTMLElement[]; tripleParts: Picked[]; // the node or edge of each
  legal: HTMLElement[]; shownRule: number | null;
  shares: Record<Share, HTMLElement[]>;
  opened: {
    beam: Beam | null; heads: HeadBlock[] | null; hypothesis: HypothesisSent | null;
    wanted: Place | null; // the hypothesis that is open
    isWhole: boolean; // whether all that can be sent is there
    built: Promise<Built> | null; // of all hypotheses, in a file
    asked: { beam: boolean; heads: boolean; text: string };
  };
  sendOpened: (what: object) => void;
  room: number; // for the columns of the beam, in pixels; 0 where it is closed
  tree: { columns: Column[]; from: number; at: Place | null; followed: number }; // from: its first step
  cells: HTMLElement[]; lookedBack: HTMLElement[]; // pictures of heads; shaded actions
  pointers: SVGPathElement[]; itemAt: Map<number, number>; // node by the position of the action that made it
  folds: Set<number>; hidden: Set<number>; // nodes that take others in, and these others
  picked: Picked | null; groups: Element[][]; rovers: (Element | null)[];
  before: HTMLElement | null; // what had the focus before the list of keys
  onDraw: (() => void)[]; onKey: ((key: string) => boolean)[];
  asking: Asking | null; marking: Marking | null; drill: Drill | null;
}
interface Marks { steps: number[]; text: string; what: string }
interface Marking { strip: HTMLElement; text: HTMLElement; buttons: HTMLElement[]; steps: number[] }

// --- what if --------------------------------------------------------------------------------

interface Compared { step: number | null; was: string | null; how: string; gained: Triple[]; lost: Triple[] }
interface WhatIf {
  ack: number; refusal: string | null; beam: number;
  isDecoding: boolean; // what was asked, and is acknowledged, is still worked out
  at: string; // path of the branch that is shown; empty for the original
  branches: { path: string; depth: number; step: number; action: string }[];
  compared: Compared | null; // with the branch it grew from
}
type Question = { action: string } | { path: string };
interface Asking {
  strip: HTMLElement; tree: HTMLElement; compared: HTMLElement; changes: HTMLElement;
  input: HTMLInputElement; refusal: HTMLElement; note: HTMLElement;
  sentence: string; // for which the field was written in
  answer: WhatIf; send: (question: object) => void;
  box: Outbox<{ key: string; step: number } & Question>; waits: boolean;
}

// --- exercises ------------------------------------------------------------------------------

interface Exercise {
  lesson: string; ack: number; mode: string; title: string; hint: string;
  feedback: string; modes: [value: string, name: string][]; feedbacks: [value: string, name: string][];
  course: [id: string, title: string][]; // the lessons that follow one another
  chosen: boolean; // whether an address chose them
  here: string; // which of them is open; empty for one that is none of them
  finished: boolean; // whether the goal is reached, not by the page alone
  turn: number; // rises with every lesson that is opened from elsewhere on the page
  key: string; // of the trace that it goes with
  at: number; // the moment at which the learner stands
  task: (string | [text: string, term: string])[]; terms: Record<string, string>;
  asks: string[]; // the kinds of action that are the learner's; none where all are
  ghost: boolean; own: number[]; closed: number[]; copies: [kind: string, label: string][][]; model: string;
  crosses: boolean; // whether moves that are not possible are crossed out beforehand
  marks: ("" | "wrong" | "missed")[]; // of the actions that were taken
  offers: Record<"concepts" | "constants" | "templates" | "roles", string[]>;
  notice: [kind: string, title: string, lines: string[]] | null; score: [good: number, num: number] | null;
  tour: boolean; places: [part: string, title: string, text: string][];
}
interface DrillMessage { seen: number; verb: string; moment: number | null; text: string; threshold: number }
type MoveGroup = keyof Moves["groups"];
interface Hotkey { does: string; kinds: string[]; group: MoveGroup | null; use: (view: View) => void }
interface Drill {
  exercise: Exercise; send: () => void; box: Outbox<DrillMessage>;
  zoom: number | null; wasInside: boolean; // as it was when a message went out: the focus among the moves
  course: ReturnType<typeof import("./exercise/course.js").mountCourse>;
  told: HTMLElement; moves: Moves; task: ReturnType<typeof import("./exercise/task.js").mountTask>;
  tour: ReturnType<typeof import("./exercise/tour.js").mountTour>;
  bar: ReturnType<typeof import("./exercise/bar.js").mountBar>;
  hotkeys: ReturnType<typeof import("./exercise/hotkeys.js").mountHotkeys>;
}
/** Why a kind of action is not possible; empty where it is. */
type Reasons = Map<string, string>;
interface Moves {
  panel: HTMLElement; where: HTMLElement; notice: HTMLElement; more: HTMLElement;
  noticed: string; offered: string; // what the notice says; the lesson whose offers stand
  all: boolean; // whether moves are shown that are not the learner's
  simple: { kind: string; button: HTMLElement }[]; copies: Map<string, HTMLElement>; copyRow: HTMLElement;
  pred: HTMLInputElement; constant: HTMLInputElement; template: HTMLInputElement; typed: HTMLInputElement;
  patterns: HTMLSelectElement; role: HTMLSelectElement; other: HTMLSelectElement; root: HTMLSelectElement;
  ends: HTMLElement; arcs: HTMLElement[]; mark: HTMLElement;
  groups: Record<"go" | "nodes" | "edges" | "finish" | "typed", HTMLElement>;
}

// --- the editor -----------------------------------------------------------------------------

type Ends = Triple;
/** A part by its name: places change with every edit, names do not. */
interface Name { kind: string; id?: string; ends?: Ends }
/** `id` is of the node, or of an edge's source. */
type Chosen = Picked & { id: string; ends: Ends; parent: string };
interface Walk { order: Picked[]; above: Map<string, Picked>; below: Map<string, Picked> }
interface Marked {
  tokens: number[]; doubt?: number; options?: { text: string; p: number; edits: object[] }[]; instead?: string[];
  confirmed?: boolean; changed?: boolean; problem?: boolean; origin?: string;
}
/** `more`: how many branches below are folded. */
/** `guessed`: its tokens, by rules; `same`: nodes of other sentences that it is the same as. */
type EditedNode = DrawnNode & Marked & { more?: number; guessed?: boolean; same?: string[] };
type EditedEdge = DrawnEdge & Marked & { ends: Ends };
/** What may stand in the place of a part; `p`: how likely the parser finds it. */
interface Instead { text: string; p?: number; does: Gesture }
type Parts = Pick<Edited, "nodes" | "edges">;
interface Line { depth: number; role: string; text: string; edge: number; node: number; to: number; more?: number }
interface Problem {
  id: string; severity: string; message: string; note: string | null; part: Name | null; word: number | null;
  fixes: { text: string; edits: object[] }[];
}
interface Proposal { id: string; sign: string; text: string; why: string; edits: object[]; ids: string[] }
interface Edited {
  key: string; nodes: EditedNode[]; edges: EditedEdge[]; lines: Line[]; tokens: string[]; // key: of these
  covered: number[]; fold: { shown: number; all: number; root?: boolean } | null; // null where all is shown
  cleared?: number; // parts up to which nothing crosses, where more are drawn
  penman: string | null; // of a large graph only where it is asked for
  width: number; height: number; store: string; person: string; ack: number; meeting: string; draft: string;
  failure: string; // why the store takes nothing now
  sentence: {
    id: number; name: string; number: number; revision: number; status: string; flagged: boolean;
    comments: [person: string, text: string][]; canUndo: boolean; canRedo: boolean;
  };
  said: { number: number; kind: string; text: string } | null;
  focus: { number: number; part: Name } | null;
  conflicts: Conflict[]; problems: Problem[]; problemsText: string; doubtText: string;
  fault: { text: string; line: number; message: string; mend: { text: string; does: string } | null } | null;
  reading: { lines: string[]; named: Record<string, number> } | null; // where it is asked for
  proposals: { number: number; state: string; text: string; items: Proposal[]; more: number } | null;
  offers: { for: string; items: [text: string, note: string][] } | null;
}
interface Fields { [field: string]: unknown }
type Gesture = Fields & { kind: string };
type What = Fields & { do: string; gesture?: Gesture };
interface Message {
  id: string; tab: string; store: string; person: string; sentence: number; called?: string; base: number;
  what: What;
}
type Outgoing = Message & { number: number };
interface Conflict { id: string; text: string; mine: string; lines: [string, string][]; revision: number }
interface Held { message: Outgoing; conflict: Conflict }
interface Box extends Outbox<Message> {
  scope: string; // the store and the person that it is for
  tab: string; held: Held[]; wait: number; late: number;
  isKept: boolean; isRead: boolean; // by this browser; whether what it kept has been read
}
/** The key of each act. */
type Keymap = Record<string, string>;
interface Press { key: string; isControl: boolean; isShifted: boolean }
/** A second choice that is under way. */
interface Mode {
  from: Chosen; hint: string; take: () => void; mark?: () => void; end?: () => void; takesWords?: boolean;
}
type Point = [x: number, y: number];
type Around = Pick<DOMRect, "left" | "top" | "right" | "bottom">;
/** What is dragged: a new edge of node `id`, or the end of an edge that is there, now at `id`. */
interface Dragged { end: string; id: string; name: string; ends: Ends; from: Point }
/** `at`: where it was pressed, in pixels; `line`: null while it may be a click. */
type Drag = Dragged & { base: number; at: Point; line: SVGLineElement | null };
/** What completions depend on, beside what is typed. */
interface Asks { kind: string; at?: string; to?: string; was?: string; tokens?: number[] }
/** What a field is opened for; `typed` says that the page is to complete the text. */
interface Wanted {
  title: string; value: string; what?: string; mayBeEmpty?: boolean;
  base?: number; // revision that was seen when the gesture began
  asks?: Asks | null; // null where there is nothing to complete
  done: (text: string, typed: boolean, base: number) => void;
}
type Prompt = Wanted & {
  base: number; chosen: number; asked: string; isTyped: boolean; isAnswered: boolean;
  offers: [text: string, note: string][];
};
interface Editor {
  root: HTMLElement; gone: AbortController; signal: AbortSignal; // ends its listeners
  find: Find; box: Box; drawing: Drawing;
  sent: Edited; data: Edited; // from the page, and with doubt at the parts that are marked
  share: number; // percent of all parts that are marked as doubtful at most
  transmit: (outbox: { tries: number; messages: Outgoing[] }) => void;
  keys: Keymap; keysOf: string; // the store and person whose keys these are
  remapping: string; // the act that gets another key
  drawn: string; // key of the drawing that stands
  tokens: HTMLElement[]; lines: HTMLElement[]; walk: Walk; at: Chosen; span: Set<number>; // marked words
  mode: Mode | null; prompt: Prompt | null; drag: Drag | null;
  waiting: number; typed: Press[]; // the message whose answer keys wait for, and these keys
  seen: number; // the sentence that was painted
  leaving: number; focusedFor: number; // messages that lead to another sentence, and gave the focus
  asking: number; checking: number; // timers
  isWriting: boolean; written: number; // the text, and the revision that it is of
  taking: { text: string; number: number; data: Edited } | null; asksText: boolean; // a large graph's
  seeksFault: boolean; faultLine: number;
  problemAt: number; shownHeld: string; wantsProposals: boolean;
}

// --- the aligner and the union --------------------------------------------------------------

interface Alignment { tokens: number[]; source: string }
type AlignedLine = Alignment & { depth: number; role: string; text: string; item: string | null; made: string };
interface Aligned {
  key: string; text: string; tokens: string[]; lines: AlignedLine[]; ack: number; // key: of the sentence
  canUndo: boolean; canReset: boolean; problem: string | null;
  changes: { text: string; gained: string[]; lost: string[]; newLabels: string[]; oldLabels: string[] } | null;
}
interface Operation { kind: string; item?: string; tokens?: number[] }
interface Aligner {
  root: HTMLElement; find: Find; graph: Aligned; box: Outbox<{ key: string } & Operation>;
  transmit: () => void; gone: AbortController;
  shown: Alignment[]; // of each line, with what is still on its way
  chosen: number | null; marked: number | null; // the line; the word, where no line is
  words: HTMLElement[]; lines: HTMLElement[]; items: (HTMLElement | null)[];
}
interface UnionEdge { mark: string; path: string; head: string; role: string; label: [number, number] }
interface UnionNode { mark: string; label: string; shown: string; x: number; y: number; w: number; h: number }
interface Union { width: number; height: number; about: string; nodes: UnionNode[]; edges: UnionEdge[] }

/** Whose keys are shown; both empty where nobody is known. */
interface Own { store: string; person: string }

// --- the stepper alone in a file ------------------------------------------------------------

/** What a file of the stepper holds: one sentence, or a lecture of several. */
interface Lecture {
  entries: { sentence: string; note: string; by: string; trace: ShownTrace }[];
}
/** The default export of trace/show.js, behind which stepper.js is joined. */
declare function show(component: Component<ShownTrace>): void;
