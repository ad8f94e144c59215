import { LONG_FILES, THOROUGH_FILES } from './long-files.ts';
import { runVitest } from './run-vitest.ts';

const HELP = `npm run test:near -- FOLDER …

Runs the tests of folders of src, such as src/domain/places/spaces, and the structural tests that take less than five
seconds. Paths in test are taken as they are.`;

/** Where the tests of a folder of `src` are. */
const PLACES: [source: RegExp, tests: readonly string[]][] = [
  [/^src\/domain\//, ['test/']],
  [/^src\/lib\//, ['test/lib/']],
  [/^src\/platform\/graphql\b.*/, ['test/graphql', 'test/limits']],
  [/^src\/platform\/http\b.*/, ['test/http', 'test/limits']],
  [/^src\/platform\b.*/, ['test/platform']],
];

/** The parts of paths that select the tests of a folder or file of `src`. */
function testsOf(path: string): string[] {
  const folder = path.replace(/^\.\//, '').replace(/\/(?:[^/]+\.ts)?$/, '');
  const place = PLACES.find(([source]) => source.test(folder));
  return place ? place[1].map((tests) => folder.replace(place[0], tests)) : [folder];
}

const paths = process.argv.slice(2);

if (paths.length === 0 || paths.includes('--help')) {
  console.info(HELP);
} else {
  const exclude = [...LONG_FILES, ...THOROUGH_FILES]
    .filter((name) => name.startsWith('structure/'))
    .map((name) => `test/${name}`);
  process.exitCode = runVitest({ files: [...paths.flatMap(testsOf), 'test/structure/'], exclude });
}
