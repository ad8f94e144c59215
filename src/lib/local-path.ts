/**
 * A path that no browser reads as the address of another host, which begins with two slashes (RFC 3986, 4.2). Browsers
 * take backslashes for slashes, and drop tabs and line breaks (WHATWG URL, 4.4).
 */
export const toLocalPath = (path: string): string => path.replace(/[\t\n\r]/g, '').replace(/^[/\\]+/, '/');
