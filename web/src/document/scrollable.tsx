import type { ReactNode } from 'react';

interface Props {
  /** Names what is scrolled. */
  label: string;
  className?: string;
  children: ReactNode;
}

/** Content that may be wider than the page. It has the focus, so that it can be scrolled with the keyboard. */
export const Scrollable = ({ label, className, children }: Props) => (
  // biome-ignore lint/a11y/useSemanticElements lint/a11y/noNoninteractiveTabindex: neither a form nor a landmark
  <div role="group" tabIndex={0} aria-label={label} className={className}>
    {children}
  </div>
);
