import fc from 'fast-check';
import { scrap } from './arbitrary-line.ts';

/** Pieces of Markdown, of HTML and of block tags, well matched or not. */
const pieces = [
  ...[
    '\n',
    '\n\n',
    '\n  ',
    '\n    ',
    '\n\t',
    '\n> ',
    '\n* ',
    '\n1. ',
    '\n- [ ] ',
    '\n# ',
    '\n#### ',
    '\n---\n',
    '\n***\n',
  ],
  ...[
    '\n===\n',
    '\n| a | b |\n|---|:-:|\n| c | d |\n',
    '\n```js\n',
    '\n```\n',
    '\n~~~\n',
    '[a][b]',
    '\n\n[b]: http://c\n\n',
  ],
  ...[
    '[^1]',
    '\n\n[^1]: note\n\n',
    '[t](#user-content-fn-1)[^1]',
    '![a](b)',
    '[a](b)',
    '[m](x "mention")',
    '<!-- c -->',
  ],
  ...[
    '\n{% hint style="warning" %}\n',
    '\n{% endhint %}\n',
    '\n{% tabs %}\n',
    '\n{% tab title="a" %}\n',
    '\n{% endtab %}\n',
  ],
  ...['\n{% endtabs %}\n', '\n{% stepper %}\n', '\n{% step %}\n', '\n{% endstep %}\n', '\n{% endstepper %}\n'],
  ...[
    '\n{% embed url="https://x.y" %}\n',
    '{% endembed %}',
    '\n{% if a == b %}\n',
    '\n{% endif %}\n',
    '\n{% endcode %}\n',
  ],
  ...['\n{% code title="x" %}\n', '\n{% content-ref url="a.md" %}\n', '\n{% endcontent-ref %}\n', '{% @a/b c="d" %}'],
  ...['\n{% file src="file:x" %}\n', '{% include "reusable:x" %}', '\n{% columns %}\n{% column width="5%" %}\n'],
  ...[
    '\n{% endcolumn %}\n{% endcolumns %}\n',
    '\n{% math %}\n',
    '\n{% endmath %}\n',
    '\n<details>\n',
    '\n</details>\n',
  ],
  ...['<summary>', '</summary>', '<figure>', '</figure>', '<img src="a" alt="b">', '<figcaption>', '</figcaption>'],
  ...['<div align="center">', '</div>', '<p>', '</p>', '<ul><li>', '</li></ul>', '<table><tr><td>', '</td><td>'],
  ...[
    '</td></tr></table>',
    '<pre>',
    '</pre>',
    '<mark style="color:red">',
    '</mark>',
    '<kbd>',
    '</kbd>',
    '<h2>',
    '</h2>',
  ],
  ...[
    '<code class="expression">',
    '</code>',
    '<i class="fa-x">',
    '</i>',
    '<a class="button" href="z">',
    '<a id="q"></a>',
  ],
  ...['</a>', '<foo>', '</foo>', '<blockquote>', '</blockquote>', '<picture>', '<source srcset="d" media="dark">'],
  ...['</picture>', '<br>', '<span class="math">', '</span>'],
];

export const anyMarkdown: fc.Arbitrary<string> = fc
  .array(fc.oneof(scrap, fc.constantFrom(...pieces)), { maxLength: 40, size: 'large' })
  .map((parts) => parts.join(''));

/** Markdown with a word of its own behind every piece; without what hides text on purpose. */
export const markedMarkdown: fc.Arbitrary<{ markdown: string; words: string[] }> = fc
  .array(fc.oneof(scrap, fc.constantFrom(...pieces)), { maxLength: 25, size: 'large' })
  .map((parts) => {
    const shown = parts.filter((part) => !/<!--|<a href/.test(part));
    const words = shown.map((_, i) => `wq${i}z`);
    return { markdown: shown.map((part, i) => `${part} ${words[i]} `).join(''), words };
  });
