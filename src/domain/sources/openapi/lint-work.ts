import { UnusableSpecification } from '../../../lib/openapi/fault.ts';
import { type LintedFile, type LintProblem, lintSpecification, withPlaces } from '../../../lib/openapi/lint.ts';

/** What the thread returns. */
export interface LintOutput {
  errorsCount: number;
  warningsCount: number;
  /** The first problems, errors first. */
  problems: LintProblem[];
}

/** Problems that are stored of a version. */
const MAX_PROBLEMS = 5_000;

/** Runs in a thread: lints the files of a version, the entry point first. */
export async function work(files: LintedFile[]): Promise<LintOutput | { failure: string }> {
  try {
    const found = await lintSpecification(files);
    const errorsCount = found.filter(({ severity }) => severity === 'error').length;
    const problems = withPlaces(found.slice(0, MAX_PROBLEMS), files);
    return { errorsCount, warningsCount: found.length - errorsCount, problems };
  } catch (error) {
    if (error instanceof UnusableSpecification) return { failure: error.message };
    throw error;
  }
}
