import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { warning } from '../../../../lib/repository/report.ts';
import { htmlSource } from './html-source.ts';
import { decodeText, type ImportFile, type RepositorySource, type SourceFile } from './source.ts';

/** Larger files become empty pages. */
const MAX_BYTES = 20 * 1024 * 1024;

/** Detects the type of a single file by its first bytes and its name; undefined if it is not a page. */
export function looseKind(name: string, head: Buffer): 'html' | 'markdown' | undefined {
  const text = head.toString('utf8');
  if (/^\ufeff?\s*(?:<!doctype html|<html|<\?xml[^>]*>\s*<(?:!doctype )?html)/i.test(text)) return 'html';
  if (/\.(?:html?|xhtml)$/i.test(name)) return 'html';
  // The last character can be incomplete.
  const isText = !head.includes(0) && [0, 1, 2, 3].some((cut) => isUtf8(head.subarray(0, head.length - cut)));
  return isText ? 'markdown' : undefined;
}

/** Single pages, which can link to each other by name. */
export async function looseSource(inputs: readonly ImportFile[], kind: 'html' | 'markdown'): Promise<RepositorySource> {
  const files: (SourceFile & { place: { container: string } })[] = [];
  for (const { path, name } of inputs) {
    const size = (await stat(path)).size;
    files.push({ path: pageName(name, kind), size, place: { container: path } });
  }
  const report: RepositorySource['report'] = [];
  const read = async (path: string) => {
    const file = files.find((each) => each.path === path);
    if (file && file.size <= MAX_BYTES) return readFile(file.place.container);
    report.push(warning(path, `The page is empty: the file is larger than ${MAX_BYTES} bytes.`));
    return Buffer.alloc(0);
  };
  if (kind === 'markdown') return { files, read: async (path) => decodeText(await read(path), path, report), report };
  const html = htmlSource({ files, read });
  return { ...html, report: html.report };
}

/** A name without folders and with the extension of its type. */
function pageName(name: string, kind: 'html' | 'markdown'): string {
  const plain = name.replace(/^.*[/\\]/s, '') || 'page';
  const isNamed = kind === 'html' ? /\.(?:html?|xhtml)$/i.test(plain) : /\.(?:md|markdown)$/i.test(plain);
  if (isNamed) return plain;
  return kind === 'html' ? `${plain}.html` : `${plain.replace(/\.\w{1,10}$/, '')}.md`;
}
