export interface Bounds {
  /** Maximum memory besides that of mapped files. Default: no limit. */
  megabytes?: number;
  processorSeconds: number;
  /** Maximum size of each file that the program writes. Default: no limit. */
  fileBytes?: number;
}

/** Units of the shell's limit of file sizes (POSIX.1-2017, `ulimit`). */
const FILE_BLOCK = 512;

/**
 * Sets limits and executes the program: data size (`-d`), processor time (`-t`), size of files (`-f`), no core dumps.
 * With `setpriv` of util-linux, the process is killed with the one that started it. Limits that the system does not
 * support are skipped.
 *
 * Programs run at a lower priority (nice 10). With five busy programs on two processors, the event loop then gets a
 * whole processor; at equal priority, a third of one. At nice 19, programs would hardly run on a machine with other
 * busy processes.
 */
const BOUNDED = `
[ -n "$DATA_KILOBYTES" ] && ulimit -d "$DATA_KILOBYTES" 2>/dev/null
ulimit -t "$PROCESSOR_SECONDS" 2>/dev/null
[ -n "$FILE_BLOCKS" ] && ulimit -f "$FILE_BLOCKS" 2>/dev/null
ulimit -c 0 2>/dev/null
unset DATA_KILOBYTES PROCESSOR_SECONDS FILE_BLOCKS PWD OLDPWD
setpriv --no-new-privs --pdeathsig KILL true 2>/dev/null && exec setpriv --no-new-privs --pdeathsig KILL nice -n 10 "$@"
exec nice -n 10 "$@"`;

/** A command that runs a program within limits on Unix, and the environment variables that it takes them from. */
export function boundedCommand(
  program: string[],
  { megabytes, processorSeconds, fileBytes }: Bounds,
): { command: string[]; env: Record<string, string> } {
  if (process.platform === 'win32') return { command: program, env: {} };
  return {
    command: ['/bin/sh', '-c', BOUNDED, 'sh', ...program],
    env: {
      ...(megabytes !== undefined && { DATA_KILOBYTES: String(megabytes * 1024) }),
      PROCESSOR_SECONDS: String(Math.ceil(processorSeconds)),
      ...(fileBytes !== undefined && { FILE_BLOCKS: String(Math.ceil(fileBytes / FILE_BLOCK)) }),
    },
  };
}
