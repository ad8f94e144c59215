import {
  type KeyboardEvent,
  type ReactNode,
  Suspense,
  useDeferredValue,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { ErrorBoundary } from '../../app/error-boundary.tsx';
import { useRouter } from '../../app/router.tsx';

/** A result of a search. */
export interface Option {
  key: string;
  to: string;
  content: ReactNode;
}

interface Props {
  label: string;
  /** A hook that reads the results of a query. */
  useOptions: (query: string) => readonly Option[];
}

const PATIENCE_MS = 150;

/**
 * A search as one types (WAI-ARIA Authoring Practices, "Editable Combobox With List Autocomplete"). The key "/" focuses
 * it. The last results are shown until the next have arrived.
 */
export function SearchBox({ label, useOptions }: Props) {
  const { navigate } = useRouter();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const options = useRef<readonly Option[]>([]);
  const [text, setText] = useState('');
  const [settled, setSettled] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const query = useDeferredValue(settled);

  useEffect(() => {
    const timer = setTimeout(() => setSettled(text.trim()), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [text]);

  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      const isTyping = (event.target as HTMLElement).closest('input, textarea, [contenteditable]') !== null;
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    const onPointerDown = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('keydown', onKeyDown);
    document.addEventListener('pointerdown', onPointerDown);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      document.removeEventListener('pointerdown', onPointerDown);
    };
  }, []);

  const follow = (option: Option) => {
    setOpen(false);
    setText('');
    input.current?.blur();
    navigate(option.to);
  };
  const isShown = isOpen && query !== '';
  const onKeyDown = (event: KeyboardEvent) => {
    // The results of an earlier query are shown until those of this one have arrived.
    const isCurrent = query === text.trim();
    const count = isCurrent ? options.current.length : 0;
    if (event.key === 'Escape') {
      if (isOpen) setOpen(false);
      else setText('');
    } else if (event.key === 'ArrowDown' && count > 0) {
      setOpen(true);
      setActive((active + 1) % count);
    } else if (event.key === 'ArrowUp' && count > 0) {
      setOpen(true);
      setActive((Math.max(active, 0) - 1 + count) % count);
    } else if (event.key === 'Enter') {
      const option = options.current[Math.max(active, 0)];
      if (!isShown || !isCurrent || !option) return;
      follow(option);
    } else {
      return;
    }
    event.preventDefault();
  };

  return (
    <search className="search" ref={box}>
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label={label}
        placeholder={`${label} ( / )`}
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isShown && active >= 0 ? `${id}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setActive(-1);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onKeyDown={onKeyDown}
      />
      <div className="search-results" id={`${id}-list`} role="listbox" aria-label="Results" hidden={!isShown}>
        {isShown && (
          <ErrorBoundary resetKey={query}>
            <Suspense fallback={null}>
              <Results
                id={id}
                query={query}
                useOptions={useOptions}
                active={active}
                options={options}
                onFollow={follow}
              />
            </Suspense>
          </ErrorBoundary>
        )}
      </div>
      <p className="visually-hidden" role="status">
        {isShown ? 'Use the arrow keys to choose a result.' : ''}
      </p>
    </search>
  );
}

interface ResultsProps extends Pick<Props, 'useOptions'> {
  id: string;
  query: string;
  active: number;
  /** Receives the results. */
  options: { current: readonly Option[] };
  onFollow: (option: Option) => void;
}

function Results({ id, query, useOptions, active, options, onFollow }: ResultsProps) {
  const results = useOptions(query);
  useEffect(() => {
    options.current = results;
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
    return () => {
      options.current = [];
    };
  });
  if (results.length === 0) return <p className="muted">Nothing matches.</p>;
  return results.map((option, index) => (
    // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the input handles keys
    <div
      key={option.key}
      id={`${id}-${index}`}
      role="option"
      aria-selected={index === active}
      onClick={() => onFollow(option)}
    >
      {option.content}
    </div>
  ));
}
