import { useRef, useState, type DragEvent } from "react";

import { checkPicture, isPictureType } from "./check-picture.ts";

/** The state of a field for a picture where script runs: what is chosen, what is wrong with it, and what hangs over it. */
export function usePicture() {
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<File>();
  const [fault, setFault] = useState<string>();
  const [hover, setHover] = useState<"right" | "wrong">();

  function take(file: File | undefined): void {
    const found = file && checkPicture(file);
    setFault(found);
    setChosen(found ? undefined : file);
    if (found && input.current) choose(input.current, null);
  }

  function onDragOver(event: DragEvent): void {
    const item = [...event.dataTransfer.items].find(({ kind }) => kind === "file");
    if (!item) return;
    event.preventDefault();
    setHover(isPictureType(item.type) ? "right" : "wrong");
  }

  function onDrop(event: DragEvent): void {
    setHover(undefined);
    const { files } = event.dataTransfer;
    if (files.length === 0 || !input.current) return;
    event.preventDefault();
    choose(input.current, files);
    take(files[0]);
  }

  return { input, chosen, fault, hover, take, onDragOver, onDragLeave: () => setHover(undefined), onDrop };
}

/** As if somebody had chosen: the form around looks at what is pending. */
function choose(input: HTMLInputElement, files: FileList | null): void {
  if (files) input.files = files;
  else input.value = "";
  input.dispatchEvent(new Event("input", { bubbles: true }));
}
