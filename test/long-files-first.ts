import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LONG_FILES, THOROUGH_FILES } from './long-files.ts';

/** One of them in the end would leave a worker without work for as long. */
const LONG = [...LONG_FILES, ...THOROUGH_FILES].map((name) => join(import.meta.dirname, name));

const gone = LONG.filter((path) => !existsSync(path));
if (gone.length > 0) throw new Error(`No longer among the tests: ${gone.join(', ')}`);

/** The long files and then all others, both in an order that the seed decides, which is printed. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence;
    this.ctx.logger.log(`      Running tests with seed "${seed}"`);
    const place = ({ moduleId }: TestSpecification) => {
      const digest = createHash('sha256').update(`${seed} ${moduleId}`).digest('hex');
      return `${LONG.includes(moduleId) ? 0 : 1}${digest}`;
    };
    return files.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
  }
}
