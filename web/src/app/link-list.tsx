import type { ReactNode } from 'react';
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

/** The same with a heading. Nothing without items. */
export const LinkSection = ({ title, items }: { title: string; items: readonly Item[] }) =>
  items.length > 0 && (
    <section>
      <h2>{title}</h2>
      <LinkList items={items} />
    </section>
  );
