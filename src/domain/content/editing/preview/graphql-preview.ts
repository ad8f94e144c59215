import { builder } from '../../../../platform/graphql/builder.ts';
import { lookup } from '../../../../platform/graphql/lookup.ts';
import { readingArguments, readingOf } from '../../rendering/graphql.ts';
import { renderGiven } from '../../rendering/index.ts';
import { type MarkdownPreview, previewMarkdown } from './preview-markdown.ts';

const MarkdownPreviewType = builder.objectRef<MarkdownPreview>('MarkdownPreview').implement({
  description: 'Markdown as a body that is not saved.',
  fields: (t) => ({
    document: t.field({
      type: 'JSONObject',
      description: 'Body as a document in JSON, as `DocumentPage.document` would return it.',
      args: readingArguments,
      resolve: ({ body, of }, args, ctx) => renderGiven(ctx, of, body, readingOf(args)),
    }),
  }),
});

lookup('previewMarkdown', previewMarkdown, MarkdownPreviewType);
