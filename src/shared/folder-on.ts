/** What a folder of another machine is called here: the same path on this machine is another folder. */
export function folderOn(machine: string, folder: string): string {
  return `${machine}:${folder}`;
}
