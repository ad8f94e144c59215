import { UnusableSpecification } from '../../../../lib/openapi/fault.ts';
import { lintSpecification, withPlaces } from '../../../../lib/openapi/lint.ts';
import { textOfPieces } from '../processing/file-bytes.ts';

/** A file as it was received, under the URL that references lead to. */
export interface LintInput {
  filename: string;
  location: string;
  pieces: Uint8Array[];
}

/** Result of the worker. */
export interface LintOutput {
  errorsCount: number;
  warningsCount: number;
  /** Rows of the first problems, errors first, as JSON in UTF-8. */
  rows: Uint8Array<ArrayBuffer>;
}

/** Problems that are stored of a version. */
const MAX_PROBLEMS = 5_000;

/** Runs in a worker: lints the files of a version, the entry point first. */
export async function work(input: LintInput[]): Promise<LintOutput | { failure: string }> {
  try {
    const files = input.map(({ pieces, ...file }) => ({ ...file, text: textOfPieces(pieces) }));
    const allProblems = await lintSpecification(files);
    const errorsCount = allProblems.filter(({ severity }) => severity === 'error').length;
    const problems = withPlaces(allProblems.slice(0, MAX_PROBLEMS), files);
    const rows = problems.map((problem, position) => ({ position, ...problem }));
    const bytes = new TextEncoder().encode(JSON.stringify(rows));
    return { errorsCount, warningsCount: allProblems.length - errorsCount, rows: bytes };
  } catch (error) {
    if (error instanceof UnusableSpecification) return { failure: error.message };
    throw error;
  }
}
