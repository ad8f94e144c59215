import { PIXEL, zipOf } from './arrange.ts';

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

const paragraph = (text: string, style?: string) =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t>${text}</w:t></w:r></w:p>`;

const drawing = `<w:p><w:r><w:drawing>
  <wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing">
    <wp:docPr id="1" name="p" descr="A pixel"/>
    <a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData>
      <pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture">
        <pic:blipFill><a:blip r:embed="rId2" xmlns:r="${RELATIONS}"/></pic:blipFill>
      </pic:pic>
    </a:graphicData></a:graphic>
  </wp:inline></w:drawing></w:r></w:p>`;

/** A document as Word writes it, with a heading, a table and an image; `before` stands in front of its root. */
export function docx(before = '', image = PIXEL): Promise<Buffer> {
  const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
  const table = `<w:tbl><w:tr>${cell('Key')}${cell('Value')}</w:tr><w:tr>${cell('Port')}${cell('4000')}</w:tr></w:tbl>`;
  const body = [
    paragraph('Operating it', 'Heading1'),
    paragraph('How it is run.'),
    paragraph('Settings', 'Heading2'),
    table,
    drawing,
  ];
  return zipOf({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types">
      <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
      <Default Extension="png" ContentType="image/png"/>
      <Override PartName="/word/document.xml"
        ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships">
      <Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `${before}<w:document xmlns:w="${WORD}"><w:body>${body.join('')}</w:body></w:document>`,
    'word/styles.xml': `<w:styles xmlns:w="${WORD}">
      <w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>
      <w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/></w:style></w:styles>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships">
      <Relationship Id="rId1" Type="${RELATIONS}/styles" Target="styles.xml"/>
      <Relationship Id="rId2" Type="${RELATIONS}/image" Target="media/image1.png"/></Relationships>`,
    'word/media/image1.png': image,
  });
}

/** A document with a title, code, a footnote and formulas. */
export function scientificDocx(): Promise<Buffer> {
  const MATH = 'http://schemas.openxmlformats.org/officeDocument/2006/math';
  const text = (value: string) => `<m:r><m:t>${value}</m:t></m:r>`;
  const fraction = `<m:f><m:num>${text('a')}</m:num><m:den>${text('b')}</m:den></m:f>`;
  const power = `<m:sSup><m:e>${text('x')}</m:e><m:sup>${text('2')}</m:sup></m:sSup>`;
  const sum = `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${text('i')}</m:sub><m:sup>${text('n')}</m:sup><m:e>${power}</m:e></m:nary>`;
  const note = '<w:r><w:footnoteReference w:id="2"/></w:r>';
  const body = [
    paragraph('The whole title', 'Title'),
    paragraph('First part', 'Heading1'),
    `<w:p><w:r><w:t xml:space="preserve">Inline </w:t></w:r><m:oMath>${fraction}</m:oMath><w:r><w:t xml:space="preserve"> noted</w:t></w:r>${note}</w:p>`,
    `<w:p><m:oMathPara><m:oMath>${sum}</m:oMath></m:oMathPara></w:p>`,
    paragraph('let x = 1;', 'Code'),
    paragraph('  let y = 2;', 'Code'),
  ];
  const style = (id: string, name: string) =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`;
  return zipOf({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types">
      <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
      <Override PartName="/word/document.xml"
        ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships">
      <Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document xmlns:w="${WORD}" xmlns:m="${MATH}"><w:body>${body.join('')}</w:body></w:document>`,
    'word/styles.xml': `<w:styles xmlns:w="${WORD}">${style('Title', 'Title')}${style('Heading1', 'heading 1')}${style('Code', 'Code')}</w:styles>`,
    'word/footnotes.xml': `<w:footnotes xmlns:w="${WORD}"><w:footnote w:id="2">${paragraph('A remark below.')}</w:footnote></w:footnotes>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships">
      <Relationship Id="rId1" Type="${RELATIONS}/styles" Target="styles.xml"/>
      <Relationship Id="rId2" Type="${RELATIONS}/footnotes" Target="footnotes.xml"/></Relationships>`,
  });
}

/** A space as Confluence exports it. */
export const CONFLUENCE = {
  'DOCS/index.html': `<html><head><title>Docs (DOCS)</title></head><body><div class="pageSection"><h2>Available Pages:</h2>
    <ul><li><a href="Docs-Home_1.html">Docs Home</a> <img src="images/icons/contenttypes/home_page_16.png">
      <ul><li><a href="Install_2.html">Install</a><ul><li><a href="On-Linux_3.html">On Linux</a></li></ul></li>
      <li><a href="FAQ_4.html">FAQ</a></li></ul></li></ul></div></body></html>`,
  'DOCS/Docs-Home_1.html': page('Docs Home', '<p>Read <a href="Install_2.html">how to install</a>.</p>'),
  'DOCS/Install_2.html': page(
    'Install',
    `<div class="confluence-information-macro confluence-information-macro-warning"><div class="confluence-information-macro-body">
       <p>Save first.</p></div></div>
     <pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: bash; gutter: false">npm start</pre>
     <p><img class="confluence-embedded-image" src="attachments/2/9.png" alt="Pixel"></p>
     <h2 id="Install-Next">Next</h2><p><a href="On-Linux_3.html#OnLinux-Run">Run it</a></p>`,
  ),
  'DOCS/On-Linux_3.html': page('On Linux', '<h2 id="OnLinux-Run">Run</h2><p>There.</p>'),
  'DOCS/FAQ_4.html': page(
    'FAQ',
    `<p>Why?</p><div class="confluence-information-macro confluence-information-macro-note"><p class="title">Heed</p>
       <div class="confluence-information-macro-body"><p>A yellow box.</p></div></div>
     <div class="panel"><div class="panelHeader"><b>Panel title</b></div><div class="panelContent"><p>Panel text.</p></div></div>
     <ul class="inline-task-list"><li data-inline-task-id="1">Open task</li><li class="checked" data-inline-task-id="2">Done task</li></ul>
     <div class="expand-container"><div class="expand-control"><span class="expand-control-icon"></span><span class="expand-control-text">Unfold me</span></div>
       <div class="expand-content"><p>Folded text.</p></div></div>`,
    '<div class="pageSection group"><div class="pageSectionHeader"><h2 id="attachments">Attachments:</h2></div><div class="greybox"><a href="attachments/4/7.txt">notes.txt</a> (text/plain)</div></div>',
  ),
  'DOCS/attachments/4/7.txt': 'Attached.',
  'DOCS/attachments/2/9.png': PIXEL,
  'DOCS/styles/site.css': 'body {}',
};

function page(title: string, body: string, after = ''): string {
  return `<html><head><title>Docs : ${title}</title></head><body><div id="main-header"><div id="breadcrumb-section">
    <ol id="breadcrumbs"><li><a href="index.html">Docs</a></li></ol></div>
    <h1 id="title-heading"><span id="title-text">Docs : ${title}</span></h1></div>
    <div id="content"><div class="page-metadata">Created by Ada</div><div id="main-content" class="wiki-content group">${body}</div>${after}</div>
    <div id="footer">Document generated by Confluence</div></body></html>`;
}

const [HOME, GUIDE, TASKS, ROW, INNER] = ['a', 'b', 'c', 'd', 'e'].map((digit) => digit.repeat(32));

/** Pages as Notion exports them as Markdown. */
export const NOTION = {
  [`Handbook ${HOME}.md`]: `# Handbook\n\n<aside>\nRead this first.\n</aside>\n\n[Guide](Handbook%20${HOME}/Guide%20${GUIDE}.md)\n\n[Tasks](Handbook%20${HOME}/Tasks%20${TASKS}.csv)\n`,
  [`Handbook ${HOME}/Guide ${GUIDE}.md`]: `# Guide\n\nBack to [the handbook](../Handbook%20${HOME}.md).\n\n![Pixel](Guide%20${GUIDE}/pixel.png)\n\n[Inner](Guide%20${GUIDE}/Inner%20${INNER}.md)\n`,
  [`Handbook ${HOME}/Guide ${GUIDE}/Inner ${INNER}.md`]: `# Inner\n\nUp to [the guide](../Guide%20${GUIDE}.md) and [the handbook](../../Handbook%20${HOME}.md).\n`,
  [`Handbook ${HOME}/Guide ${GUIDE}/pixel.png`]: PIXEL,
  [`Handbook ${HOME}/Tasks ${TASKS}.csv`]: 'Name,State\nWrite,"Open"\n',
  [`Handbook ${HOME}/Tasks ${TASKS}_all.csv`]: '\ufeffName,State\nWrite,"Open, urgent"\nRead,Done\n',
  [`Handbook ${HOME}/Tasks ${TASKS}/Write ${ROW}.md`]: '# Write\n\nState: Open\n',
};

/** The git repository of a wiki. */
export const WIKI = {
  'project.wiki/Home.md':
    'Welcome. See [[Getting started]], [[the settings|Settings#port]] and `[[not this]]`.\n\n[[images/pixel.png]]\n',
  'project.wiki/Getting-started.md': 'Begin [at home](Home).\n',
  'project.wiki/Settings.md': '# All settings\n\n## Port\n\nIt is 4000.\n',
  'project.wiki/Unlisted.md': 'Nobody lists me.\n',
  'project.wiki/Notes.textile': 'h1. Notes',
  'project.wiki/_Sidebar.md': '* [[Getting started]]\n  * [[Settings]]\n',
  'project.wiki/_Footer.md': 'Made by us.\n',
  'project.wiki/images/pixel.png': PIXEL,
};
