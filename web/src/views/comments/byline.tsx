import type { ReactNode } from 'react';
import { formatTime } from '../../app/format.ts';

/** Who wrote something, and when. */
export const Byline = (props: { name: string | undefined; time: string; children?: ReactNode }) => (
  <p className="byline">
    <strong>{props.name ?? 'A former user'}</strong>{' '}
    <time dateTime={props.time} className="muted">
      {formatTime(props.time)}
    </time>
    {props.children}
  </p>
);
