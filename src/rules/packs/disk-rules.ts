import { type PackRule, runsAny, touchesAny } from "./pack.ts";

/** Disks, partitions and file systems. */
export const DISK_RULES: readonly PackRule[] = [
  {
    when: runsAny([
      "{mkfs*,mke2fs,mkswap,newfs*} /dev/*",
      "wipefs",
      "blkdiscard",
      "badblocks -w",
      "sgdisk",
      "gdisk",
      "cfdisk",
      "sfdisk",
      "parted",
      "fdisk /dev/*",
      "cryptsetup {luksFormat,erase,luksErase}",
      "hdparm --security-erase",
      "nvme {format,sanitize}",
      "mdadm --zero-superblock",
      "mdadm --stop",
      "diskutil {erase*,partitionDisk,zeroDisk,secureErase,apfs}",
      "lvremove",
      "vgremove",
      "pvremove",
      "zpool {destroy,labelclear}",
      "zfs {destroy,rollback}",
      "btrfs subvolume delete",
      "format ?:",
      "diskpart",
      "losetup -d",
      "umount -a",
      "swapoff -a",
      "xfs_repair -L",
      "tune2fs",
    ]),
    answer: "deny",
    reason: "This formats, repartitions or wipes a disk.",
  },
  {
    when: runsAny(["mkfs*", "mke2fs", "mkswap", "newfs*"]),
    answer: "ask",
    reason: "This creates a new file system and erases what was there.",
  },
  {
    when: touchesAny("writes", [
      "/dev/{sd,hd,vd,xvd,nvme,disk,rdisk,mmcblk,loop,dm-,md,sr}*",
      "/dev/mapper/*",
      "/dev/{mem,kmem,port}",
    ]),
    answer: "deny",
    reason: "This writes directly to a device.",
  },
];
