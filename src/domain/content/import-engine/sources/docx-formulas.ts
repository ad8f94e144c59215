import { zipSync } from 'fflate';
import { latexOfOmml } from '../../../../lib/foreign-formats/omml.ts';
import { FORMULA_END, FORMULA_START } from '../../../../lib/html/formula.ts';
import type { Archive } from '../../../../platform/archive/archive.ts';

const DOCUMENT = 'word/document.xml';
/** Formulas are only read in documents up to this size, since the document is copied in memory. */
const MAX_BYTES = 60 * 1024 * 1024;

/**
 * A Word document in which formulas are text in LaTeX, between marks that the conversion from HTML knows. Undefined if
 * it has none, or is too large.
 */
export async function convertDocxFormulas(archive: Archive): Promise<Buffer | undefined> {
  const size = archive.entries.reduce((bytes, entry) => bytes + entry.size, 0);
  if (size > MAX_BYTES) return undefined;
  const xml = (await archive.read(DOCUMENT)).toString('utf8');
  if (!xml.includes('<m:oMath')) return undefined;
  const parts: Record<string, Uint8Array> = {};
  for (const { path } of archive.entries) parts[path] = await archive.read(path);
  parts[DOCUMENT] = Buffer.from(writeFormulasAsText(xml));
  return Buffer.from(zipSync(parts, { level: 0 }));
}

const START = /<m:oMath(?:\s[^<>]{0,500})?>/g;
const END = '</m:oMath>';

/** The XML of a document with its formulas as text. */
export function writeFormulasAsText(xml: string): string {
  let output = '';
  let from = 0;
  for (const { 0: tag, index } of xml.matchAll(START)) {
    if (index < from) continue;
    const end = xml.indexOf(END, index);
    if (end < 0) break;
    const latex = latexOfOmml(`<oMath>${xml.slice(index + tag.length, end)}</oMath>`);
    const text = `${FORMULA_START}${latex}${FORMULA_END}`
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;');
    output += `${xml.slice(from, index)}<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
    from = end + END.length;
  }
  return (output + xml.slice(from)).replace(/<\/?m:oMathPara(?:\s[^<>]{0,500})?>/g, '');
}
