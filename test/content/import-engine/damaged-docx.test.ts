import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { importing, PIXEL, zipOf } from './arrange.ts';

const { imported, importInto, newSpace, treeOf, upload } = importing(await world());

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const NAMESPACES = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${RELATIONS}"
  xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
  xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"`;

const documentWith = (inRun: string) =>
  `<w:document ${NAMESPACES}><w:body><w:p><w:r><w:t>Some words.</w:t></w:r>${inRun}</w:p></w:body></w:document>`;

const picture = (id: string) =>
  `<w:r><w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="${id}"/></pic:blipFill>` +
  '</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>';

/** A document of Word whose parts are replaced by those that are given. */
const wordFile = (parts: Record<string, string>) =>
  zipOf({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types">
      <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
      <Default Extension="png" ContentType="image/png"/>
      <Override PartName="/word/document.xml"
        ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships">
      <Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': documentWith(''),
    ...parts,
  });

const inDocument = (inRun: string) => ({ 'word/document.xml': documentWith(inRun) });
const tables = (count: number) =>
  `</w:p>${'<w:tbl><w:tr><w:tc>'.repeat(count)}<w:p/>${'</w:tc></w:tr></w:tbl>'.repeat(count)}<w:p>`;

const DAMAGED: [string, Record<string, string>][] = [
  ['a reference to a footnote that is missing', inDocument('<w:r><w:footnoteReference w:id="99"/></w:r>')],
  ['a link without its address', inDocument('<w:hyperlink r:id="rId99"><w:r><w:t>a</w:t></w:r></w:hyperlink>')],
  ['a picture without its relationship', inDocument(picture('rId99'))],
  ['a document without a body', { 'word/document.xml': `<w:document ${NAMESPACES}/>` }],
  ['a document that is no XML', { 'word/document.xml': 'Some words.' }],
  ['a document that breaks off', { 'word/document.xml': documentWith('').slice(0, -20) }],
  ['an empty document', { 'word/document.xml': '' }],
  ['styles that break off', { 'word/styles.xml': '<w:styles' }],
  ['relationships that break off', { '_rels/.rels': '<Relationships' }],
];

test.each(DAMAGED)('%s is refused as damaged, and nothing is imported', async (_name, parts) => {
  const spaceId = await newSpace();
  const before = await treeOf(spaceId);
  const { url } = await upload(await wordFile(parts), 'a.docx');
  const { status, body } = await importInto(spaceId, url, 'docx');
  expect([status, body.error?.message]).toEqual([
    400,
    expect.stringMatching(/Word document is damaged.*save it again/),
  ]);
  expect(await treeOf(spaceId)).toEqual(before);
});

test('elements that are nested too deep are refused', async () => {
  const { url } = await upload(await wordFile(inDocument(tables(3_000))), 'a.docx');
  const { status, body } = await importInto(await newSpace(), url, 'docx');
  expect([status, body.error?.message]).toEqual([400, expect.stringMatching(/nested too deep/)]);
});

test('a document with a picture that is missing is imported without it, and the report says so', async () => {
  const relations = `<Relationships xmlns="${PACKAGE}/relationships">
    <Relationship Id="rId9" Type="${RELATIONS}/image" Target="media/missing.png"/></Relationships>`;
  const bytes = await wordFile({ ...inDocument(picture('rId9')), 'word/_rels/document.xml.rels': relations });
  const { report, tree } = await imported(bytes, 'docx', 'a.docx');
  expect(tree).toHaveLength(1);
  const messages = report.report.map(({ message }: { message: string }) => message);
  expect(messages).toContain('An image is missing in the document.');
  expect(messages.join(' ')).not.toMatch(/Cannot read/);
});

test('a damaged image in an archive is left out, and the report says so', async () => {
  const archive = await zipOf({ 'README.md': '# Home\n\n![A](a.png)\n', 'a.png': PIXEL }, false);
  const at = archive.indexOf(PIXEL);
  archive[at + PIXEL.length - 1] = (archive[at + PIXEL.length - 1] ?? 0) ^ 255;
  const { url } = await upload(archive, 'a.zip');
  const { status, body } = await importInto(await newSpace(), url, 'zip');
  expect([status, JSON.stringify(body.report ?? body)]).toEqual([201, expect.stringContaining('a.png')]);
});
