"""A Slurm of one node on the loopback interface, made of Debian's packages, for tests."""

import os
import pathlib
import pwd
import secrets
import shutil
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol")
FOLDERS = "/usr/sbin:/usr/bin:/sbin:/bin"

CONFIGURATION = """
ClusterName=septet
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmctldPort={controller_port}
SlurmdPort={node_port}
AuthType=auth/munge
AuthInfo=socket={root}/munge.socket
CredType=cred/munge
StateSaveLocation={root}/state
SlurmdSpoolDir={root}/spool
SlurmctldPidFile={root}/slurmctld.pid
SlurmdPidFile={root}/slurmd.pid
SlurmctldLogFile={root}/slurmctld.log
SlurmdLogFile={root}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
KillWait=2
MailProg=/bin/true
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def missing():
    """Why no cluster can be started here; None: it can."""
    lacking = [name for name in PROGRAMS if shutil.which(name, path=FOLDERS) is None]
    if lacking:
        return "not installed: " + ", ".join(lacking)
    if os.geteuid() != 0:
        return "slurmd wants root"
    return None


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Cluster:
    """Daemons of its own, which end with it."""

    def __init__(self, root, cpus=2):
        self.root = pathlib.Path(root)
        self.processes = []
        for name in ("state", "spool"):
            (self.root / name).mkdir()
        self.environment = dict(os.environ, SLURM_CONF=str(self.root / "slurm.conf"))
        key = self.root / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o400)
        (self.root / "slurm.conf").write_text(CONFIGURATION.format(
            root=self.root, host=socket.gethostname().split(".")[0],
            user=pwd.getpwuid(os.geteuid()).pw_name, cpus=cpus,
            controller_port=free_port(), node_port=free_port()))

    def start(self):
        self.daemon("munged", "--foreground", "--force", f"--socket={self.root}/munge.socket",
                    f"--key-file={self.root}/munge.key", f"--pid-file={self.root}/munged.pid",
                    f"--log-file={self.root}/munged.log", f"--seed-file={self.root}/munged.seed")
        self.wait_for(lambda: (self.root / "munge.socket").exists())
        self.daemon("slurmctld", "-D", "-c", "-i")
        self.daemon("slurmd", "-D", "-c")
        self.wait_for(lambda: "idle" in self.call("sinfo", "-h", "-o", "%t", check=False))

    def daemon(self, *words):
        with open(self.root / (words[0] + ".out"), "w") as log:
            self.processes.append(subprocess.Popen(
                (shutil.which(words[0], path=FOLDERS),) + words[1:], env=self.environment,
                stdout=log, stderr=subprocess.STDOUT, start_new_session=True))

    def wait_for(self, holds, seconds=60):
        end = time.monotonic() + seconds
        while not holds():
            for process in self.processes:
                if process.poll() is not None:
                    raise RuntimeError(f"{process.args[0]} ended with {process.returncode}:\n"
                                       + self.logs())
            if time.monotonic() > end:
                raise RuntimeError("no answer:\n" + self.logs())
            time.sleep(0.2)

    def call(self, *words, check=True):
        done = subprocess.run(words, env=self.environment, check=False, capture_output=True,
                              text=True)
        if check and done.returncode != 0:
            raise RuntimeError(f"{words} ended with {done.returncode}: {done.stderr}")
        return done.stdout.strip()

    def logs(self):
        return "\n".join(f"== {path.name}\n{path.read_text(errors='replace')[-3000:]}"
                         for path in sorted(self.root.glob("*.log")) + sorted(
                             self.root.glob("*.out")))

    def stop(self):
        """First the jobs: they would outlive the daemons."""
        user = pwd.getpwuid(os.geteuid()).pw_name
        self.call("scancel", "--quiet", f"--user={user}", check=False)
        end = time.monotonic() + 10
        while self.call("squeue", "-h", check=False) and time.monotonic() < end:
            time.sleep(0.2)
        for process in reversed(self.processes):
            process.terminate()
        for process in reversed(self.processes):
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
