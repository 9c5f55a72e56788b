/** The controls of what an element plays, for buttons, keys and the lock screen. */
export type Controls = {
  element: HTMLMediaElement;
  /** How far a skip goes, in seconds. */
  skipSeconds: number;
  toggle: () => void;
  /** Goes to a place, in seconds from the beginning. */
  seek: (seconds: number) => void;
  /** The place and the length, in seconds; the length is 0 where it is not known. */
  read: () => { seconds: number; duration: number };
};

/** Goes on by so many seconds, or back. */
export function skip({ seek, read }: Controls, seconds: number): void {
  seek(read().seconds + seconds);
}
