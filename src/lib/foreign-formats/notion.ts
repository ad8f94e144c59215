import { closesFence, type Fence, fenceOf } from './fence.ts';

const ID = / ?[0-9a-f]{32}(?=(?:_all)?(?:\.\w+)?$)/i;
const ID_IN_NAME = /[ -]?[0-9a-f]{32}(?:_all)?\.(?:md|html|csv)$/i;

/** Whether an archive is an export from Notion: most of its pages have ids in their names. */
export function isNotionExport(paths: readonly string[]): boolean {
  const pages = paths.filter((path) => /\.(?:md|html|csv)$/i.test(path));
  const named = pages.filter((path) => ID_IN_NAME.test(path));
  return named.length > 0 && named.length * 2 >= pages.length;
}

/** Paths without the ids in their names, by original path. If two would be the same, the second keeps its id. */
export function withoutIds(paths: readonly string[]): Map<string, string> {
  const usedNames = new Set<string>();
  return new Map(
    paths.map((path) => {
      const plain = path
        .split('/')
        .map(
          (part) =>
            part
              .replace(ID, '')
              .replace(/_all(?=\.csv$)/, '')
              .trim() || part,
        )
        .join('/');
      const name = usedNames.has(plain.toLowerCase()) ? path : plain;
      usedNames.add(name.toLowerCase());
      return [path, name];
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
