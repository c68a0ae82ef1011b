// How a browser plays: the names under which it keeps that.

/** Actions a second, as text. */
export const PACE = "aptamr.trace.pace";
/** Kept where new parses are not to play by themselves. */
export const STILL = "aptamr.trace.still";
