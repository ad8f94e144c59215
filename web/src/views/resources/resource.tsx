import type { ReactNode } from 'react';
import { filled, RESOURCE_KINDS } from '../../addresses.ts';
import { Title } from '../../app/title.tsx';
import { CopyButton } from '../../document/code.tsx';
import { Scrollable } from '../../document/scrollable.tsx';

interface Props {
  /** The address, as in `RESOURCE_KINDS`. */
  path: string;
  parameters: Readonly<Record<string, string>>;
  title: string;
  fields: Readonly<Record<string, ReactNode>>;
  children?: ReactNode;
}

/** A resource without a view of its own: its fields, and how to read it through the two APIs. */
export function Resource({ path, parameters, title, fields, children }: Props) {
  const kind = RESOURCE_KINDS.find((each) => each.path === path);
  const query = filled(kind?.query ?? '', parameters);
  return (
    <div className="narrow">
      <p className="muted">{kind?.title}</p>
      <Title text={title || 'Untitled'} />
      <dl className="fields">
        {Object.entries(fields).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value ?? '–'}</dd>
          </div>
        ))}
      </dl>
      {children}
      {kind && (
        <section>
          <h2>Read it yourself</h2>
          <p>
            This query in <a href={`/graphql?query=${encodeURIComponent(query)}`}>GraphiQL</a>, or{' '}
            <code>GET {filled(kind.restPath, parameters)}</code>:
          </p>
          <figure className="code">
            <figcaption>
              <span>graphql</span>
              <CopyButton text={() => query} />
            </figcaption>
            <Scrollable label="Query">
              <pre>{query}</pre>
            </Scrollable>
          </figure>
        </section>
      )}
    </div>
  );
}
