import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Link, useRouter } from '../../app/router.tsx';
import { type PlacedRow, type Row, visibleRows } from './tree-rows.ts';

/** Height of a row in pixels, as in `layout.css`. */
const ROW_HEIGHT = 32;
/** Rows that are rendered beyond both ends of what is shown. */
const MARGIN_ROWS = 10;
/** The next rows are loaded when so many are left below. */
const LOAD_AHEAD_ROWS = 100;
const TYPE_AHEAD_MS = 700;

interface Props {
  rows: readonly Row[];
  currentPageId: string | undefined;
  isComplete: boolean;
  onNearEnd: () => void;
  onFollow: () => void;
  label: string;
}

/**
 * A tree of any size (WAI-ARIA Authoring Practices, "Tree View"). Only the rows near those that are shown are in the
 * document. The tree has the focus, and names the active row with `aria-activedescendant`.
 */
export function Tree({ rows, currentPageId, isComplete, onNearEnd, onFollow, label }: Props) {
  const { navigate } = useRouter();
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const [activeId, setActiveId] = useState<string>();
  const [range, setRange] = useState({ from: 0, to: 60 });
  const typed = useRef({ text: '', at: 0 });

  const visible = useMemo(() => visibleRows(rows, collapsed), [rows, collapsed]);
  const indexOfId = (pageId: string | undefined) => visible.findIndex((row) => row.pageId === pageId);
  const activeIndex = Math.max(0, indexOfId(activeId ?? currentPageId));
  const active = visible[activeIndex];

  const measure = () => {
    const { scrollTop, clientHeight } = scroller.current ?? { scrollTop: 0, clientHeight: 800 };
    const from = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT) - MARGIN_ROWS);
    const to = Math.ceil((scrollTop + clientHeight) / ROW_HEIGHT) + MARGIN_ROWS;
    setRange((before) => (before.from === from && before.to === to ? before : { from, to }));
  };
  useLayoutEffect(() => {
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  });
  // Rows are loaded in reading order, up to the page that is open, and ahead of those that are shown.
  const isAwaited = currentPageId !== undefined && rows.every(({ pageId }) => pageId !== currentPageId);
  useEffect(() => {
    if (!isComplete && (isAwaited || range.to + LOAD_AHEAD_ROWS > visible.length)) onNearEnd();
  }, [isComplete, isAwaited, range.to, visible.length, onNearEnd]);

  const reveal = (index: number) => {
    const element = scroller.current;
    if (!element || index < 0) return;
    const top = index * ROW_HEIGHT;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + ROW_HEIGHT > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + ROW_HEIGHT - element.clientHeight;
    }
  };

  // The page that is open is shown, also when it is opened by a link or a search.
  const currentIndex = indexOfId(currentPageId);
  const isCurrentLoaded = currentIndex >= 0;
  useEffect(() => {
    if (document.activeElement !== scroller.current) setActiveId(currentPageId);
    if (!isCurrentLoaded) return;
    const top = currentIndex * ROW_HEIGHT;
    const element = scroller.current;
    if (element && (top < element.scrollTop || top + ROW_HEIGHT > element.scrollTop + element.clientHeight)) {
      element.scrollTop = top - element.clientHeight / 2;
    }
  }, [currentPageId, isCurrentLoaded]);

  const activate = (index: number) => {
    const row = visible[Math.max(0, Math.min(index, visible.length - 1))];
    if (!row) return;
    setActiveId(row.pageId);
    reveal(visible.indexOf(row));
  };
  const toggle = (row: Row, isCollapsed: boolean) => {
    const next = new Set(collapsed);
    if (isCollapsed) next.add(row.pageId);
    else next.delete(row.pageId);
    setCollapsed(next);
  };
  const follow = (row: Row) => {
    if (row.to === undefined) return toggle(row, !collapsed.has(row.pageId));
    onFollow();
    if (/^https?:/.test(row.to)) window.location.assign(row.to);
    else navigate(row.to);
  };
  const typeAhead = (character: string) => {
    const now = Date.now();
    const text = (now - typed.current.at < TYPE_AHEAD_MS ? typed.current.text : '') + character.toLowerCase();
    typed.current = { text, at: now };
    const start = text.length === 1 ? activeIndex + 1 : activeIndex;
    const order = [...visible.slice(start), ...visible.slice(0, start)];
    const match = order.find(({ title }) => title.toLowerCase().startsWith(text));
    if (match) activate(visible.indexOf(match));
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (!active || event.ctrlKey || event.metaKey || event.altKey) return;
    const isCollapsed = collapsed.has(active.pageId);
    reveal(activeIndex);
    switch (event.key) {
      case 'ArrowDown':
        activate(activeIndex + 1);
        break;
      case 'ArrowUp':
        activate(activeIndex - 1);
        break;
      case 'Home':
        activate(0);
        break;
      case 'End':
        activate(visible.length - 1);
        break;
      case 'ArrowRight':
        if (active.hasChildren && isCollapsed) toggle(active, false);
        else if (active.hasChildren) activate(activeIndex + 1);
        break;
      case 'ArrowLeft':
        if (active.hasChildren && !isCollapsed) toggle(active, true);
        else activate(indexOfId(active.parentPageId ?? undefined));
        break;
      case 'Enter':
      case ' ':
        follow(active);
        break;
      default:
        if (event.key.length !== 1) return;
        typeAhead(event.key);
    }
    event.preventDefault();
  };

  const rendered = visible.slice(range.from, range.to);
  return (
    <div
      ref={scroller}
      className="tree"
      role="tree"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={active && rendered.includes(active) ? `${id}-${active.pageId}` : undefined}
      onScroll={measure}
      onKeyDown={onKeyDown}
    >
      <div role="none" style={{ blockSize: visible.length * ROW_HEIGHT, position: 'relative' }}>
        {rendered.map((row, index) => (
          <TreeRow
            key={row.pageId}
            id={`${id}-${row.pageId}`}
            row={row}
            top={(range.from + index) * ROW_HEIGHT}
            isActive={row === active}
            isCurrent={row.pageId === currentPageId}
            isCollapsed={collapsed.has(row.pageId)}
            onToggle={() => toggle(row, !collapsed.has(row.pageId))}
            onFollow={() => {
              setActiveId(row.pageId);
              onFollow();
            }}
          />
        ))}
      </div>
    </div>
  );
}

interface TreeRowProps {
  id: string;
  row: PlacedRow;
  top: number;
  isActive: boolean;
  isCurrent: boolean;
  isCollapsed: boolean;
  onToggle: () => void;
  onFollow: () => void;
}

const INDENT_REM = 0.875;

function TreeRow({ id, row, top, isActive, isCurrent, isCollapsed, onToggle, onFollow }: TreeRowProps) {
  const { to, title, depth, hasChildren, kind, position, siblingCount } = row;
  const classes = ['row', kind === 'GroupPage' && 'group', isActive && 'active', isCurrent && 'current'];
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names its active row
    <div
      role="treeitem"
      id={id}
      className={classes.filter(Boolean).join(' ')}
      aria-level={depth + 1}
      aria-posinset={position}
      aria-setsize={siblingCount}
      aria-selected={isCurrent}
      aria-expanded={hasChildren ? !isCollapsed : undefined}
      style={{ insetBlockStart: top, paddingInlineStart: `${depth * INDENT_REM}rem` }}
    >
      {to === undefined ? (
        // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the tree handles keys
        <span className="row-title" onClick={onToggle}>
          {title}
        </span>
      ) : /^https?:/.test(to) ? (
        <a className="row-title" href={to} tabIndex={-1} rel="noreferrer">
          {title} <span aria-hidden="true">↗</span>
        </a>
      ) : (
        <Link className="row-title" to={to} tabIndex={-1} onClick={onFollow}>
          {title}
        </Link>
      )}
      {hasChildren && (
        <span className="toggle" aria-hidden="true" onClick={onToggle}>
          {isCollapsed ? '▸' : '▾'}
        </span>
      )}
    </div>
  );
}
