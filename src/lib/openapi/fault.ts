/**
 * A reason why a specification cannot be used, with the place in its text if it is known. Line and column count from 1.
 */
export interface SpecificationFault {
  message: string;
  /** Name of the file, if the specification has several. */
  filename?: string;
  line?: number;
  column?: number;
}

/** A specification that cannot be used. The processing ends with these faults. */
export class UnusableSpecification extends Error {
  readonly faults: readonly SpecificationFault[];

  constructor(faults: readonly SpecificationFault[]) {
    super(faults[0]?.message ?? 'The specification cannot be used.');
    this.name = 'UnusableSpecification';
    this.faults = faults;
  }
}

/** Line and column of an offset in a text. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', start)) {
    line += 1;
    start = at + 1;
  }
  return { line, column: offset - start + 1 };
}
