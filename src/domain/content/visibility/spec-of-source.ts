/** Slug of the specification that content is computed from. Undefined for other sources. */
export function specOfSource(computed: object | undefined): string | undefined {
  const { dependencies } = (computed ?? {}) as { dependencies?: { spec?: { ref?: { spec?: unknown } } } }; // validated when it was written
  const slug = dependencies?.spec?.ref?.spec;
  return typeof slug === 'string' ? slug : undefined;
}
