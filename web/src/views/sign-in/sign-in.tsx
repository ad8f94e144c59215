import { useRouter } from '../../app/router.tsx';
import { Title } from '../../app/title.tsx';

/**
 * Exchanges an access token for a session. The form works without scripts: the response sets a cookie that scripts
 * cannot read.
 */
export default function SignIn() {
  const { location } = useRouter();
  const next = new URLSearchParams(location.search).get('next') ?? '/app';
  return (
    <div className="narrow">
      <Title text="Sign in" />
      <form method="post" action="/app/sign-in" className="form">
        <input type="hidden" name="next" value={next} />
        <label htmlFor="token">Access token</label>
        <input
          id="token"
          name="token"
          type="password"
          required
          autoComplete="current-password"
          spellCheck={false}
          aria-describedby="token-help"
        />
        <p id="token-help" className="muted">
          It begins with <code>stemma_</code>. The service prints the first one when it starts. Later ones are made on
          the account page, or with <code>npm run token</code> by an operator.
        </p>
        <button type="submit" className="button primary">
          Sign in
        </button>
      </form>
      <p>
        <a href={`/account?next=${encodeURIComponent(next)}`}>
          Sign in by email, with a passkey or with your organization
        </a>
      </p>
    </div>
  );
}
