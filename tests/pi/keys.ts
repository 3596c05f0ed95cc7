/** What terminals send for keys. */
export const UP = "\x1b[A";
export const DOWN = "\x1b[B";
export const RIGHT = "\x1b[C";
export const LEFT = "\x1b[D";
export const PAGE_UP = "\x1b[5~";
export const PAGE_DOWN = "\x1b[6~";
export const HOME = "\x1b[H";
export const END = "\x1b[F";
export const ENTER = "\r";
export const ESC = "\x1b";
export const BACKSPACE = "\x7f";
