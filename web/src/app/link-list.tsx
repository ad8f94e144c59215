import type { ReactNode } from 'react';
import { OnlyFirst } from './load-more.tsx';
import { Link } from './router.tsx';

interface Item {
  id: string;
  title: string;
  urls: { app: string };
  note?: ReactNode;
}

/** Resources with what is to be said of each. */
export const LinkList = ({ items }: { items: readonly Item[] }) => (
  <ul className="list">
    {items.map(({ id, title, urls, note }) => (
      <li key={id}>
        <Link to={urls.app}>{title || 'Untitled'}</Link>
        {note && <span className="muted">{note}</span>}
      </li>
    ))}
  </ul>
);

interface Section {
  title: string;
  items: readonly Item[];
  /** Whether these are only the first items. */
  hasMore: boolean;
}

/** The same with a heading. Nothing without items. */
export const LinkSection = ({ title, items, hasMore }: Section) =>
  items.length > 0 && (
    <section>
      <h2>{title}</h2>
      <LinkList items={items} />
      <OnlyFirst count={items.length} hasMore={hasMore} />
    </section>
  );
