import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '..', '..', 'src');

/** What reads files, reusable contents, variables and tags of a revision, whoever the caller is. */
const READERS =
  /\b(?:fileIn|filesIn|filesOf|filesAmong|readFiles|reusableContentsIn|reusableContentsOf|reusableContentsAmong|readReusableContents|variablesOf|tagsOf)\b/;

const IMPORT = /import (?:type )?\{(?<names>[^}]*)\} from '[^']*store\/manifests\/index\.ts';/g;

/** Files outside of `content/visibility` that read them all, and why that shows nothing to a reader of a site. */
const ALLOWED: Record<string, string> = {
  'domain/content/editing/': 'commands, which require a role',
  'domain/content/import-engine/': 'commands, which require a role',
  'domain/content/import-runs/': 'commands, which require a role',
  'domain/content/merge-content/': 'commands, which require a role',
  'domain/content/pdf/collect-pdf.ts': 'files of bodies that the reader sees',
  'domain/content/rendering/links-from.ts': 'files of a body that the reader sees',
  'domain/content/rendering/load-contents.ts': 'reusable contents of a body that the reader sees',
  'domain/publishing/reader/targets.ts': 'files of a page that the visitor sees',
  'domain/review/': 'change requests, which require a role',
  'domain/sources/git/': 'synchronization, which requires a role',
  'domain/sources/translations/': 'runs of translations, which see everything',
  'domain/store/': 'the store itself',
};

test('readers of sites are shown files, contents, variables and tags by way of what they see', () => {
  const found = globSync('domain/**/*.ts', { cwd: SRC }).filter((file) => {
    if (file.startsWith('domain/content/visibility/')) return false;
    const imported = [...readFileSync(join(SRC, file), 'utf8').matchAll(IMPORT)].map(
      ({ groups }) => groups?.names ?? '',
    );
    return imported.some((names) => READERS.test(names.replace(/\btype \w+/g, '')));
  });
  const isAllowed = (file: string) => Object.keys(ALLOWED).some((path) => file.startsWith(path));
  expect(found.filter((file) => !isAllowed(file))).toEqual([]);
  for (const path of Object.keys(ALLOWED).filter((each) => each.endsWith('.ts'))) expect(found).toContain(path);
});
