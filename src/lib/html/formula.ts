/** Text between these characters, which Unicode reserves for internal use, is a formula in LaTeX. */
export const FORMULA_START = '\ufdd2';
export const FORMULA_END = '\ufdd3';

/** Splits text at formulas: every second part is one. */
export const splitFormulas = (text: string): string[] =>
  text.includes(FORMULA_START) ? text.split(/[\ufdd2\ufdd3]/) : [text];
