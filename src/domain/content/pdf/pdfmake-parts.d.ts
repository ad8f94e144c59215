/* The parts of pdfmake 0.3 that it has no types for, as far as they are used. They are CommonJS modules. */

declare module 'pdfmake/js/PDFDocument.js' {
  import type { Readable } from 'node:stream';

  interface Reference {
    data: { Kids: unknown[] };
  }

  /** A document of pdfkit: a stream that its sheets are written to as they end. */
  class PDFDocument extends Readable {
    constructor(
      fonts: object,
      images: object,
      patterns: object,
      attachments: object,
      options: object,
      virtualFiles: null,
      opens: (path: string) => boolean,
    );
    readonly _root: { data: { Pages: Reference } };
    readonly fontCache: Record<string, Record<string, { layoutCache?: object }>>;
    provideFont(family: string, bold: boolean, italics: boolean): object;
    openImage(bytes: Buffer): object;
    end(): void;
  }
  const exported: { default: typeof PDFDocument };
  export default exported;
}

declare module 'pdfmake/js/LayoutBuilder.js' {
  import type { Content } from 'pdfmake/interfaces.d.ts';

  interface Sheet {
    items: { type: string; item: object }[];
  }

  class LayoutBuilder {
    constructor(size: object, margins: object, svgMeasure: object);
    registerTableLayouts(layouts: object): void;
    layoutDocument(
      content: Content[],
      document: object,
      styles: object,
      defaultStyle: object,
      background: undefined,
      header: undefined,
      footer: ((sheet: number) => Content) | undefined,
      watermark: undefined,
      breaksBefore: object,
    ): Sheet[];
  }
  const exported: { default: typeof LayoutBuilder };
  export default exported;
}

declare module 'pdfmake/js/Renderer.js' {
  class Renderer {
    constructor(document: object);
    renderPages(sheets: object[]): void;
  }
  const exported: { default: typeof Renderer };
  export default exported;
}

declare module 'pdfmake/js/SVGMeasure.js' {
  class SVGMeasure {}
  const exported: { default: typeof SVGMeasure };
  export default exported;
}

declare module 'pdfmake/js/tableLayouts.js' {
  export const tableLayouts: object;
}
