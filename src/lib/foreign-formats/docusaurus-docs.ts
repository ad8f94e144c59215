import { splitFrontMatter } from '../front-matter.ts';
import { baseName, folderOf, withoutExtension } from '../repository/repository-path.ts';
import { slugify } from '../slug.ts';
import type { DocsPlugin } from './docusaurus-config.ts';

/** A document of a Docusaurus site. */
export interface Doc {
  /** Path in the archive. */
  file: string;
  /** Path in the import: the same folder, with the name that the address has. */
  path: string;
  /** The id by which sidebars refer to it. */
  id: string;
  /** Folder below the documents, as written. */
  folder: string;
  /** Name of the file without number and extension. */
  name: string;
  label: string | undefined;
  position: number;
  /** Other paths by which links refer to it. */
  aliases: string[];
}

const NUMBER = /^(\d{1,6})\s{0,5}[-_.]+\s{0,5}(?=\S)/;

/** The position that a number at the start of a name gives. Dates and versions are not numbers of that kind. */
export const leadingNumber = (name: string): number =>
  /^\d+[-_.]\d+/.test(name) ? Number.POSITIVE_INFINITY : Number(NUMBER.exec(name)?.[1] ?? Number.POSITIVE_INFINITY);

export const withoutNumber = (name: string): string =>
  leadingNumber(name) === Number.POSITIVE_INFINITY ? name : name.replace(NUMBER, '');

const withoutNumbers = (path: string) => path.split('/').map(withoutNumber).join('/');

/** Whether the document is the page of its folder. */
export const isFolderPage = ({ name, folder }: Pick<Doc, 'name' | 'folder'>): boolean =>
  /^(?:index|readme)$/i.test(name) ||
  (folder !== '' && name.toLowerCase() === withoutNumber(baseName(folder)).toLowerCase());

/** Describes a document by its path and front matter. */
export function docOf(file: string, text: string, { docs, route }: DocsPlugin): Doc {
  const below = docs === '' ? file : file.slice(docs.length + 1);
  const folder = folderOf(below);
  const base = withoutExtension(baseName(below));
  const name = withoutNumber(base);
  const { data } = splitFrontMatter(text);
  const place = withoutNumbers(folder);
  const at = (path: string) => (place === '' ? path : `${place}/${path}`);
  const slug = typeof data.slug === 'string' ? data.slug : undefined;
  const address = slug?.startsWith('/') ? slug.slice(1) : at(slug ?? (isFolderPage({ name, folder }) ? '' : name));
  const { id, sidebar_label: label, sidebar_position: position } = data;
  return {
    file,
    path: join(folderOf(file), `${fileName(name, folder, slug)}.md`),
    id: at(typeof id === 'string' ? id : name),
    folder,
    name,
    label: typeof label === 'string' ? label : undefined,
    position: typeof position === 'number' ? position : leadingNumber(base),
    aliases: [file, withoutExtension(file), join(docs, at(name)), trimmed(join(route, address))],
  };
}

/** The name whose slug is the last part of the address. */
function fileName(name: string, folder: string, slug: string | undefined): string {
  const last = slug === undefined ? undefined : slugify(trimmed(slug).split('/').at(-1) ?? '');
  if (last) return last;
  return isFolderPage({ name, folder }) ? 'README' : name;
}

const join = (folder: string, path: string) => (folder === '' ? path : `${folder}/${path}`);
const trimmed = (path: string) => path.replace(/^\/{1,10}/, '').replace(/\/$/, '');
