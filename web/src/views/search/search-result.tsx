import { graphql, useFragment } from 'react-relay';
import type { searchResult_page$key } from '../../__generated__/searchResult_page.graphql.ts';

/** A page that was found: where it is, and the passages with the words. */
export function SearchResult({ page, space }: { page: searchResult_page$key; space?: string }) {
  const { title, ancestors, sections } = useFragment(
    graphql`
      fragment searchResult_page on SearchPageResult {
        title ancestors
        sections { id title excerpt { text isMatch } }
      }
    `,
    page,
  );
  return (
    <>
      <span className="muted">{[...(space === undefined ? [] : [space]), ...ancestors].join(' / ')}</span>
      <strong>{title || 'Untitled'}</strong>
      {sections.slice(0, 2).map(({ id, title: section, excerpt }) => (
        <span key={id} className="excerpt">
          {section && section !== title && <b>{section}: </b>}
          {excerpt.map(({ text, isMatch }, index) =>
            isMatch ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
          )}
        </span>
      ))}
    </>
  );
}
