import { useEffect, useRef, useState } from 'react';

/** A formula in TeX. It is typeset as MathML, by a module that only pages with formulas load. */
export function Formula({ formula, isBlock = false }: { formula: string; isBlock?: boolean }) {
  const element = useRef<HTMLElement>(null);
  const [isTypeset, setTypeset] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    import('temml').then(
      ({ default: temml }) => {
        if (!isCurrent || !element.current) return;
        temml.render(formula, element.current, { displayMode: isBlock, throwOnError: false });
        setTypeset(true);
      },
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [formula, isBlock]);
  return (
    <>
      <span ref={element} className={isBlock ? 'formula block' : 'formula'} hidden={!isTypeset} />
      {!isTypeset && <code>{formula}</code>}
    </>
  );
}
