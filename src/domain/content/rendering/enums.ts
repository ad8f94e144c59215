import { namedEnum } from '../../../platform/named-enum.ts';

export const evaluation = namedEnum(
  'Evaluation',
  'Whether to replace expressions in a body with their values, and conditional blocks with their content, or with nothing if the condition is not met. Expressions that cannot be evaluated stay unchanged.',
  {
    true: 'All expressions are evaluated. Expressions that use the visitor are only evaluated for visitors of a published site.',
    false: 'Nothing is replaced.',
    'deterministic-only':
      'Only expressions with the same value for every reader are evaluated: those that use variables of the space and the page.',
  },
);

export const dereferencing = namedEnum(
  'Dereferencing',
  'Whether to replace references to reusable contents, and blocks that show an OpenAPI specification, with their content.',
  {
    true: 'All references that can be replaced are replaced: reusable contents, and OpenAPI blocks, which become the operations and schemas of the latest version.',
    false: 'Nothing is replaced.',
    'reusable-contents': 'References to reusable contents are replaced.',
  },
);

export const markdownReferences = namedEnum(
  'MarkdownReferences',
  'How Markdown refers to pages, files and other content. Inputs accept all forms and turn them into references.',
  {
    relative: 'Pages by relative file paths (`../guide/setup.md`), files by their download URLs.',
    stable:
      'By ID, which does not depend on the location of the text: `page:page_…` in GraphQL, `/pages/page_…` in REST, where those in another space begin with `/spaces/space_…`.',
    written:
      'As in the text that was written or imported, as long as the targets are where they were. Other references as in `relative`.',
  },
);
