/** Whether this process exports traces. Set by `startTracing`. Without it, no code pays for spans. */
export const tracing = { isOn: false };
