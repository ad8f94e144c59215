/** A value that belongs to an object, such as the context of a request. */
export interface RequestSlot<Of extends object, Value> {
  get(of: Of): Value | undefined;
  /** Undefined removes the value. */
  set(of: Of, value: Value | undefined): void;
}

/** Makes a slot for one value per request. Copies of the object (`{ ...ctx }`) have an empty one. */
export function requestSlot<Of extends object, Value>(name: string): RequestSlot<Of, Value> {
  // Not a WeakMap: its entries survive minor collections, and promoting them cost 20 % of CPU.
  const key = Symbol(name);
  return {
    get: (of) => (of as { [key]?: Value })[key],
    set(of, value) {
      if (key in of) (of as { [key]?: Value | undefined })[key] = value;
      else Object.defineProperty(of, key, { value, writable: true, enumerable: false });
    },
  };
}
