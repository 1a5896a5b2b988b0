import { type PackRule, touchesAny } from "./pack.ts";

/** Disks, partitions and file systems. */
export const DISK_RULES: readonly PackRule[] = [
  {
    when: touchesAny("writes", [
      "/dev/{sd,hd,vd,xvd,nvme,disk,rdisk,mmcblk,loop,dm-,md,sr}*",
      "/dev/mapper/*",
      "/dev/{mem,kmem,port}",
    ]),
    answer: "deny",
    reason: "This writes directly to a device: it formats, repartitions or overwrites a disk.",
  },
  {
    runs: [
      "cryptsetup {luksFormat,erase,luksErase,reencrypt}",
      "nvme {format,sanitize}",
      "mdadm --zero-superblock",
      "mdadm --stop",
      "diskutil {erase*,partitionDisk,zeroDisk,randomDisk,secureErase,reformat}",
      "diskutil {apfs,appleRAID,coreStorage} {delete*,erase*,addVolume,create*,encryptVolume,decryptVolume}",
      "{lvremove,vgremove,pvremove} !-t",
      "zpool {destroy,labelclear} !-n",
      "zfs {destroy,rollback} !-n",
      "btrfs subvolume delete",
      "format ?:",
      "diskpart",
      "losetup -d",
      "umount -a",
      "swapoff -a",
      "xfs_repair -L !-n",
    ],
    answer: "deny",
    reason: "This formats, repartitions or wipes a disk.",
  },
  {
    runs: [
      "mkfs !-V",
      "mkfs.{ext2,ext3,ext4,ntfs} !-n !-V",
      "mke2fs !-n !-V",
      "mkfs.xfs !-N !-V",
      "mkfs.{vfat,fat,msdos,btrfs,f2fs,exfat,jfs,minix,reiserfs,bfs,cramfs} !-V",
      "mkswap !-V",
      "newfs*",
    ],
    reason: "This creates a new file system and erases what was there.",
  },
];
