import { createContext, type ReactNode, Suspense, use, useDeferredValue, useMemo } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { referencesQuery } from '../__generated__/referencesQuery.graphql.ts';
import { ErrorBoundary } from '../app/error-boundary.tsx';
import { emojiOf } from '../app/format.ts';
import { pathOf } from '../app/router.tsx';
import { type AnyNode, childrenOf, type DocumentJson, type Ref } from './nodes.ts';

/** Where a document stands. References in it are relative to it. */
export interface Place {
  organizationId: string | undefined;
  spaceId: string;
  /** ID of the space or change request whose content it is, as in the node ids of pages. */
  contentId: string;
  revisionId: string | undefined;
}

/** What a reference points at. */
export interface Target {
  label: string;
  /** A path of the application, or a URL. */
  href?: string;
  isExternal?: boolean;
  image?: { url: string; width?: number; height?: number };
  size?: number;
}

interface References {
  place: Place;
  nodes: ReadonlyMap<string, Target>;
}

const ReferencesContext = createContext<References | undefined>(undefined);

/** IDs that `nodes` takes at once. */
const MAX_IDS = 100;

/**
 * Gives the blocks of a document what their references point at. The document is shown without it until it was read,
 * since most readers begin with the text, and if it cannot be read.
 */
export function ReferencesProvider(props: { document: DocumentJson; place: Place; children: ReactNode }) {
  const { document, place, children } = props;
  // While those of a new version are read, the old ones are still known.
  const ids = useDeferredValue(useMemo(() => idsIn(document, place), [document, place]));
  const nothing = useMemo(() => ({ place, nodes: new Map<string, Target>() }), [place]);
  const unresolved = <ReferencesContext value={nothing}>{children}</ReferencesContext>;
  if (ids.length === 0) return unresolved;
  return (
    <ErrorBoundary resetKey={ids.join()} fallback={unresolved}>
      <Suspense fallback={unresolved}>
        <Resolved ids={ids} references={nothing}>
          {children}
        </Resolved>
      </Suspense>
    </ErrorBoundary>
  );
}

/** Reads the first nodes, then the others within itself. */
function Resolved({ ids, references, children }: { ids: string[]; references: References; children: ReactNode }) {
  const requestedIds = ids.slice(0, MAX_IDS);
  const { nodes } = useLazyLoadQuery<referencesQuery>(
    graphql`
      query referencesQuery($ids: [ID!]!) {
        nodes(ids: $ids) {
          __typename
          ... on PageNode { title emoji urls { app } }
          ... on File { name size contentType downloadUrl dimensions { width height } }
          ... on User { displayName }
          ... on Space { title urls { app } }
          ... on Collection { title urls { app } }
        }
      }
    `,
    { ids: requestedIds },
    { fetchPolicy: 'store-or-network' },
  );
  const value = useMemo(() => {
    const all = new Map(references.nodes);
    for (const [index, node] of nodes.entries()) {
      const target = node && targetOfNode(node);
      const id = requestedIds[index];
      if (target && id !== undefined) all.set(id, target);
    }
    return { ...references, nodes: all };
  }, [nodes, references]);
  const rest = ids.slice(MAX_IDS);
  if (rest.length === 0) return <ReferencesContext value={value}>{children}</ReferencesContext>;
  return (
    <Resolved ids={rest} references={value}>
      {children}
    </Resolved>
  );
}

type ReferencedNode = NonNullable<referencesQuery['response']['nodes'][number]>;

function targetOfNode(node: ReferencedNode): Target | undefined {
  if (node.displayName !== undefined) return { label: node.displayName };
  if (node.title !== undefined && node.urls) {
    return { label: `${emojiOf(node.emoji)} ${node.title}`.trim(), href: pathOf(node.urls.app) };
  }
  if (node.name !== undefined && node.downloadUrl !== undefined) {
    const { name, downloadUrl: url, dimensions, size } = node;
    const isImage = node.contentType?.startsWith('image/');
    return {
      label: name,
      href: url,
      isExternal: true,
      ...(size !== undefined && { size }),
      ...(isImage && { image: { url, ...dimensions } }),
    };
  }
  return undefined;
}

/** Cells of tables have ids of files and users in place of references. */
const BARE_ID = /^(?:file|user)_[0-9a-z]{26}$/;

export const refOf = (id: string): Ref =>
  id.startsWith('user_') ? { kind: 'user', user: id } : { kind: 'file', file: id };

/** The node ids of what a document refers to, each once. */
function idsIn(document: DocumentJson, place: Place): string[] {
  const ids = new Set<string>();
  const visitData = (value: unknown): void => {
    const isBareId = typeof value === 'string' && BARE_ID.test(value);
    const isObject = typeof value === 'object' && value !== null;
    const ref = isBareId ? refOf(value) : isObject && 'kind' in value ? (value as Ref) : undefined;
    const id = ref && nodeIdOf(ref, place);
    if (id !== undefined) ids.add(id);
    if (!isObject) return;
    for (const member of Object.values(value)) visitData(member);
  };
  const visit = (node: AnyNode): void => {
    if (node.object === 'block' || node.object === 'inline') visitData(node.data);
    for (const child of childrenOf(node)) visit(child);
  };
  for (const block of document.nodes) visit(block);
  return [...ids];
}

/**
 * The id by which `node` finds what a reference points at. Files of another space have none: such an id names a
 * revision, which the reference does not.
 */
function nodeIdOf(ref: Ref, { spaceId, contentId, revisionId }: Place): string | undefined {
  const isOwn = ref.space === undefined || ref.space === spaceId;
  if (ref.page !== undefined) return `${ref.page}-in-${isOwn ? contentId : ref.space}`;
  if (ref.file !== undefined) return isOwn && revisionId !== undefined ? `${ref.file}-at-${revisionId}` : undefined;
  return ref.user ?? ref.collection ?? (ref.kind === 'space' ? ref.space : undefined);
}

/** Schemes that a link may have. */
const SAFE_URL = /^(?:https?:|mailto:|tel:|\/|#)/i;

/** Returns what a reference points at. Undefined for nothing that can be followed. */
export function useTarget(): (ref: Ref | undefined) => Target | undefined {
  const references = use(ReferencesContext);
  return (ref) => {
    if (!ref || !references) return undefined;
    const { place, nodes } = references;
    const id = nodeIdOf(ref, place);
    const target = id === undefined ? undefined : nodes.get(id);
    switch (ref.kind) {
      case 'url': {
        const url = ref.url ?? '';
        return SAFE_URL.test(url) ? { label: url, href: url, isExternal: true } : { label: url };
      }
      case 'page':
      case 'anchor': {
        const hash = ref.anchor === undefined ? '' : `#${ref.anchor}`;
        if (ref.page === undefined) return { label: hash, href: hash };
        const href = target?.href ?? `/spaces/${ref.space ?? place.spaceId}/pages/${ref.page}`;
        return { label: target?.label ?? 'Page', href: `${href}${hash}` };
      }
      case 'space':
        return target ?? { label: 'Space', href: `/spaces/${ref.space}` };
      case 'collection':
        return target ?? { label: 'Collection', href: `/collections/${ref.collection}` };
      case 'openapi':
        return {
          label: ref.spec ?? '',
          ...(place.organizationId !== undefined && { href: `/orgs/${place.organizationId}/openapi/${ref.spec}` }),
        };
      default:
        return target ?? { label: ref.tag ?? '' };
    }
  };
}
