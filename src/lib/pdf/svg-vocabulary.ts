/** Elements of SVG 1.1 that are printed. None of them executes or loads anything by itself. */
export const ELEMENTS: ReadonlySet<string> = new Set(
  (
    'svg g defs symbol use a switch title desc style ' +
    'path rect circle ellipse line polyline polygon text tspan textPath image ' +
    'linearGradient radialGradient stop pattern clipPath mask marker'
  ).split(' '),
);

/** Their attributes, except references: geometry, structure and presentation (SVG 1.1, "Attribute Index"). */
export const ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'id class style width height viewBox preserveAspectRatio version xml:space ' +
    'x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy d points pathLength transform rotate textLength lengthAdjust ' +
    'startOffset offset gradientUnits gradientTransform spreadMethod patternUnits patternContentUnits patternTransform ' +
    'clipPathUnits maskUnits maskContentUnits markerUnits markerWidth markerHeight refX refY orient ' +
    'alignment-baseline baseline-shift clip-path clip-rule color direction display dominant-baseline fill fill-opacity ' +
    'fill-rule font-family font-size font-stretch font-style font-variant font-weight letter-spacing marker-end ' +
    'marker-mid marker-start mask opacity overflow stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset ' +
    'stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration ' +
    'vector-effect visibility word-spacing writing-mode'
  ).split(' '),
);
