import { LONG_FILES, THOROUGH_FILES } from './long-files.ts';
import { runVitest } from './run-vitest.ts';
import { testsOf } from './tests-of.ts';

const HELP = `npm run test:near -- FOLDER …

Runs the tests of folders of src, such as src/domain/places/spaces, and the structural tests that take less than five
seconds. If a folder has no tests of its own, those of the folder around it run. Paths in test are taken as they are.`;

const paths = process.argv.slice(2);

if (paths.length === 0 || paths.includes('--help')) {
  console.info(HELP);
} else {
  const exclude = [...LONG_FILES, ...THOROUGH_FILES]
    .filter((name) => name.startsWith('structure/'))
    .map((name) => `test/${name}`);
  process.exitCode = runVitest({ files: [...paths.flatMap(testsOf), 'test/structure/'], exclude });
}
