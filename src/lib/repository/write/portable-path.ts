import { trimEndOf } from '../../trim-characters.ts';

/** Names of devices on Windows, which no file or folder can have, whatever follows the first dot (Win32, "Naming Files"). */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;

/**
 * A path whose names Windows can check out too: names of devices get a number (`con.md` becomes `con-2.md`), and dots and
 * spaces at the end of a name go.
 */
export const portablePath = (path: string): string => path.split('/').map(portableName).join('/');

const portableName = (name: string): string => trimEndOf(name, '. ').replace(DEVICE, '$&-2') || '-';
