/** Wordings of the validator, which are about its types instead of the caller's values. */
export const UNPLAIN =
  /Too small|Too big|Invalid input|Invalid option|Invalid (?:string|number|key)|[Uu]nrecognized key|, received |>=|<=/;
