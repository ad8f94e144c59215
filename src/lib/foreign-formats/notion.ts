import { closesFence, type Fence, fenceOf } from './fence.ts';

const ID = / ?[0-9a-f]{32}(?=(?:_all)?(?:\.\w+)?$)/i;
const EXTENSION = /\.\w+$/;
const PAGE = /\.(?:md|html|csv)$/i;
const ID_IN_NAME = /[ -]?[0-9a-f]{32}(?:_all)?\.(?:md|html|csv)$/i;

/** Whether an archive is an export from Notion: most of its pages have ids in their names. */
export function isNotionExport(paths: readonly string[]): boolean {
  const pages = paths.filter((path) => PAGE.test(path));
  const named = pages.filter((path) => ID_IN_NAME.test(path));
  return named.length > 0 && named.length * 2 >= pages.length;
}

/**
 * Paths without the ids in their names, by original path. A page and the folder of its pages get the same name. Of pages
 * that would have one name, such as "Untitled", the others get a number.
 */
export function withoutIds(paths: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const nameOf = (original: string, folder: string, stem: string, kind: string): string => {
    const known = names.get(original);
    if (known !== undefined) return known;
    const plain = stem.replace(ID, '').trim() || stem;
    let name = plain;
    const key = (candidate: string) => `${folder}/${candidate}${kind}`.toLowerCase();
    let count = counts.get(key(plain)) ?? 0;
    while (counts.has(key(name))) name = `${plain} ${++count + 1}`;
    counts.set(key(plain), count).set(key(name), name === plain ? 0 : 1);
    names.set(original, name);
    return name;
  };
  return new Map(
    paths.map((path) => {
      const parts = path.split('/');
      let [original, folder] = ['', ''];
      for (const [index, part] of parts.entries()) {
        const isFolder = index < parts.length - 1;
        const extension = isFolder ? '' : (EXTENSION.exec(part)?.[0] ?? '');
        const stem = part.slice(0, part.length - extension.length).replace(/_all$/, '');
        const kind = isFolder || PAGE.test(part) ? '' : extension;
        original += `/${stem}${kind}`;
        // A folder without an id is that of whatever has its name.
        const name = isFolder && !ID.test(stem) ? (names.get(original) ?? stem) : nameOf(original, folder, stem, kind);
        folder += `/${name}${extension}`;
      }
      return [path, folder.slice(1)];
    }),
  );
}

/** Converts the callouts of Notion to hints, within lists too. */
export function readCallouts(markdown: string): string {
  let fence: Fence | undefined;
  const lines = markdown.split('\n').map((line) => {
    if (fence) {
      if (closesFence(fence, line)) fence = undefined;
      return line;
    }
    fence = fenceOf(line);
    const [, indent, slash] = /^([ \t]*)<(\/?)aside>[ \t]*$/.exec(line) ?? [];
    if (fence || indent === undefined) return line;
    return indent + (slash === '' ? '{% hint style="info" %}' : '{% endhint %}');
  });
  return lines.join('\n');
}
