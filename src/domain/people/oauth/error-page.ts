import { escapeHtml } from '../../../lib/document/markdown/entities.ts';

/** An error of OAuth 2.0 (RFC 6749, 5.2). */
export interface OAuthError {
  error: string;
  error_description?: string;
}

/** The page for a request of an application that cannot be answered by a redirect to it. */
export const errorHtml = ({
  error,
  error_description: description = '',
}: OAuthError) => `<h1>The application cannot be connected</h1>
<p role="alert">${escapeHtml(description)} <code>(${escapeHtml(error)})</code></p>
<p>The request is not valid, or has ended. Start again in the application. If this happens again, tell its authors.</p>
<p><a href="/account">Account</a></p>`;
