import { Component, type ReactNode, useEffect } from 'react';
import { ConnectionError, GraphError, isPassing } from '../relay/errors.ts';
import { Link, useRouter } from './router.tsx';

interface Props {
  /** A change of it shows the children again. */
  resetKey: string;
  /** Whether the error is all that is shown. */
  isOutermost?: boolean;
  /** What is shown in place of the error. */
  fallback?: ReactNode;
  children: ReactNode;
}

/** Shows an error in place of the part that could not be read. */
export class ErrorBoundary extends Component<Props, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override componentDidUpdate({ resetKey }: Props) {
    if (resetKey !== this.props.resetKey && this.state.error) this.setState({ error: undefined });
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    if (this.props.fallback !== undefined) return this.props.fallback;
    const view = <ErrorView error={error} />;
    return this.props.isOutermost ? <main id="app:main">{view}</main> : view;
  }
}

/** What a reader can do about an error, by its code. */
const ADVICE: Record<string, string> = {
  FORBIDDEN:
    'Ask an administrator of the organization for access. If it requires SSO, sign in with SSO at your account.',
  NOT_FOUND: 'It does not exist, or you cannot see it.',
  QUERY_TOO_COMPLEX: 'Open a smaller part of it.',
  RATE_LIMITED: 'Wait a moment, then try again.',
  SERVICE_UNAVAILABLE: 'Wait a moment, then try again.',
};

/** Relay remembers that a query failed. Drafts are stored, so that nothing is lost when the page is loaded again. */
const reload = () => window.location.reload();

function ErrorView({ error }: { error: Error }) {
  const { location } = useRouter();
  const isConnection = error instanceof ConnectionError;
  useEffect(() => {
    if (!isConnection) return undefined;
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [isConnection]);

  const code = error instanceof GraphError ? error.code : undefined;
  if (code === 'UNAUTHENTICATED') {
    const next = encodeURIComponent(`/app${location.path}`);
    return (
      <section className="notice" role="alert">
        <h1 className="title">Sign in</h1>
        <p>This is not open to everybody.</p>
        <Link className="button primary" to={`/sign-in?next=${next}`}>
          Sign in
        </Link>
      </section>
    );
  }
  return (
    <section className="notice" role="alert">
      <h1 className="title">{isConnection ? 'No connection' : 'This cannot be shown'}</h1>
      <p>{error.message}</p>
      {code !== undefined && (
        <p className="muted">
          <code>{code}</code> {ADVICE[code]}
        </p>
      )}
      {(isPassing(error) || code === undefined) && (
        <button type="button" className="button" onClick={reload}>
          Try again
        </button>
      )}
    </section>
  );
}

/** A lookup answers null for what is absent and for what the viewer may not see. */
export function ensure<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new GraphError(`This ${what} was not found.`, 'NOT_FOUND');
  return value;
}
