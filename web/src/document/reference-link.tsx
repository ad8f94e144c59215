import type { ReactNode } from 'react';
import { Link } from '../app/router.tsx';
import type { Target } from './references.tsx';

/** A link to the target of a reference. Only its content if there is nothing to follow. */
export function ReferenceLink(props: { target: Target | undefined; className?: string; children?: ReactNode }) {
  const { target, className, children = target?.label } = props;
  const { href, isExternal } = target ?? {};
  if (href === undefined) return <span className={className}>{children}</span>;
  if (!isExternal && !href.startsWith('#')) return <Link {...{ className, children }} to={href} />;
  return (
    <a {...{ className, href }} rel="noreferrer">
      {children}
    </a>
  );
}
