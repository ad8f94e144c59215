import type { ReactNode } from 'react';
import { filled, placeAt } from '../../addresses.ts';
import { Link, useRouter } from '../../app/router.tsx';
import { Title } from '../../app/title.tsx';
import { CopyButton } from '../../document/code.tsx';
import { Scrollable } from '../../document/scrollable.tsx';

interface Props {
  title: string;
  fields: Readonly<Record<string, ReactNode>>;
  children?: ReactNode;
}

/** A resource without a view of its own: its fields, and how to read it through the two APIs. */
export function Resource({ title, fields, children }: Props) {
  const { kind, parameters = {} } = placeAt(useRouter().location.path) ?? {};
  const query = filled(kind?.apis?.query ?? '', parameters);
  return (
    <div className="narrow">
      <p className="crumbs muted">
        {parameters.organizationId && <Link to={`/orgs/${parameters.organizationId}`}>Organization</Link>}
        <span>{kind?.title}</span>
      </p>
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
      {kind?.apis && (
        <section>
          <h2>Read it yourself</h2>
          <p>
            This query in <a href={`/graphql?query=${encodeURIComponent(query)}`}>GraphiQL</a>, or{' '}
            <code>GET {filled(kind.apis.restPath, parameters)}</code>:
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
