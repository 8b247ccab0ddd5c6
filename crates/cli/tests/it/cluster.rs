//! The drivers of `contrib/cluster` on real clusters of this machine: Spark with a standalone master and two
//! workers and as `local-cluster`, Ray with two nodes, SLURM. What comes out are the bytes of one machine.

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use xtask::parts::Synthetic;
use xtask::process::available_or_skip;
use xtask::setup::{CLUSTER, install_python};

const IDIOLECT: &str = env!("CARGO_BIN_EXE_idiolect");
const PARTS: usize = 200;

/// A process that is gone with the test, and all that it started.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = killpg(Pid::from_raw(self.0.id() as i32), Signal::SIGTERM);
        std::thread::sleep(Duration::from_millis(300));
        let _ = killpg(Pid::from_raw(self.0.id() as i32), Signal::SIGKILL);
        let _ = self.0.wait();
    }
}

fn start(command: &mut Command, log: &Path) -> Server {
    let file = fs::File::create(log).expect("a log");
    let again = file.try_clone().expect("the same log");
    let child = command
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(again)
        .process_group(0)
        .spawn();
    Server(child.expect("the server starts"))
}

fn wait_for(log: &Path, word: &str) {
    let deadline = Instant::now() + Duration::from_secs(120);
    while !fs::read_to_string(log).unwrap_or_default().contains(word) {
        let text = || fs::read_to_string(log).unwrap_or_default();
        assert!(Instant::now() < deadline, "no {word}: {}", text());
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

fn driver(name: &str) -> PathBuf {
    xtask::root().join("contrib/cluster").join(name)
}

struct Lab {
    folder: tempfile::TempDir,
    /// Each part of the partition is a file.
    parts: Vec<PathBuf>,
}

impl Lab {
    /// Runs that say of which program they are, thrown into files at random.
    fn new(seed: u64) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut synthetic = Synthetic::new(seed);
        let mut texts = vec![Vec::new(); PARTS];
        let mut whole = Vec::new();
        let mut random = seed;
        for _ in 0..3 * PARTS {
            let mut run = Vec::new();
            synthetic.write_run(&mut run).expect("memory");
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(99);
            texts[(random >> 40) as usize % PARTS].extend_from_slice(&run);
            whole.extend_from_slice(&run);
        }
        let at = |name: &str| folder.path().join(name);
        fs::write(at("whole.trace"), whole).expect("a file");
        let mut parts = Vec::new();
        for (i, text) in texts.iter().enumerate() {
            parts.push(at(&format!("{:03}.trace", (i * 77) % PARTS)));
            fs::write(&parts[i], text).expect("a file");
        }
        let lab = Self { folder, parts };
        let one = lab.idiolect(&[
            "mine",
            "whole.trace",
            "--api",
            "socket",
            "--write-counts",
            "one.counts",
            "--spec",
            "one.spec",
        ]);
        assert!(one.status.success(), "{one:?}");
        lab
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn idiolect(&self, args: &[&str]) -> Output {
        let mut command = Command::new(IDIOLECT);
        let output = command.args(args).current_dir(self.folder.path()).output();
        output.expect("idiolect starts")
    }

    /// A program that is `idiolect`, but once kills whoever works for it, and damages what it is told to.
    fn treacherous(&self, victim: &str, damaged: &str) -> PathBuf {
        let path = self.at("treacherous");
        let text = format!(
            r#"#!/bin/bash
if [[ "$*" == *{victim}* ]] && mkdir "{folder}/killed" 2>/dev/null; then
  pid=$PPID
  while [ "$pid" -gt 1 ]; do
    name=$(cat /proc/$pid/comm)
    [[ "$name" == java || "$name" == ray::* ]] && {{ kill -9 $pid; exit 1; }}
    pid=$(awk '{{print $4}}' /proc/$pid/stat)
  done
fi
"{IDIOLECT}" "$@" || exit $?
for word in "$@"; do
  [[ "$word" == *{damaged} && -f "$word" ]] && sed -i '2s/[0-9]/x/' "$word"
done
exit 0
"#,
            folder = self.folder.path().display(),
        );
        fs::write(&path, text).expect("a script");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("its rights");
        path
    }

    /// The words for a driver of `mine`.
    fn words(&self, counts: &str, n: usize, fan_in: &str) -> Vec<String> {
        let parts = self.parts[..n].iter().map(|p| p.display().to_string());
        let mut words: Vec<String> = parts.collect();
        words.extend(["--counts".to_owned(), self.at(counts).display().to_string()]);
        words.extend(
            ["--parts", "1", "--fan-in", fan_in, "--", "--api", "socket"].map(str::to_owned),
        );
        words
    }

    fn is_that_of_one_machine(&self, counts: &str) {
        let all = self.at(counts).join("all.counts");
        let bytes = |path: &Path| fs::read(path).expect("it was written");
        assert!(bytes(&all) == bytes(&self.at("one.counts")), "{counts}");
        let all = all.display().to_string();
        let words = [
            "mine",
            "--api",
            "socket",
            "--add-counts",
            &all,
            "--spec",
            "all.spec",
        ];
        assert!(self.idiolect(&words).status.success());
        assert!(bytes(&self.at("all.spec")) == bytes(&self.at("one.spec")));
    }

    /// A list of jobs, and what one machine says about them.
    fn jobs(&self) -> String {
        let mut list = String::new();
        for i in 0..12 {
            let name = format!("p{i}.i");
            let text = format!("int main(void) {{ return {i}; }}\n");
            fs::write(self.at(&name), text).expect("a file");
            list += &format!("{{\"id\": \"{i:02}\", \"args\": [\"run\", \"{name}\"]}}\n");
        }
        fs::write(self.at("jobs.jsonl"), list).expect("a file");
        let one = self.idiolect(&["batch", "jobs.jsonl", "--out", "one.jsonl"]);
        assert!(one.status.success(), "{one:?}");
        let table = self.idiolect(&["batch", "merge", "one.jsonl", "--manifest", "jobs.jsonl"]);
        String::from_utf8(table.stdout).expect("text")
    }
}

fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}\n{}", text(&output.stdout), text(&output.stderr))
}

#[test]
fn spark_counts_what_one_machine_counts() {
    if !available_or_skip("java", "cluster") || !available_or_skip("python3", "cluster") {
        return;
    }
    let python = install_python(CLUSTER).expect("PySpark can be installed");
    let bin = python.parent().expect("a folder").to_owned();
    let lab = Lab::new(11);
    let port = free_port();
    let master = format!("spark://127.0.0.1:{port}");
    let class = |class: &str, words: &[&str], log: &str| {
        let mut command = Command::new(bin.join("spark-class"));
        command
            .arg(format!("org.apache.spark.deploy.{class}"))
            .args(words);
        command
            .env("SPARK_LOCAL_IP", "127.0.0.1")
            .env("PYSPARK_PYTHON", &python);
        command.env("SPARK_WORKER_DIR", lab.at("work"));
        start(command.current_dir(lab.folder.path()), &lab.at(log))
    };
    let number = port.to_string();
    let words = [
        "--host",
        "127.0.0.1",
        "--port",
        &number,
        "--webui-port",
        "0",
    ];
    let _master = class("master.Master", &words, "master.log");
    wait_for(&lab.at("master.log"), "New state: ALIVE");
    let words = [
        "--host",
        "127.0.0.1",
        "--webui-port",
        "0",
        "-c",
        "1",
        "-m",
        "600M",
        &master,
    ];
    let _workers = [
        class("worker.Worker", &words, "worker1.log"),
        class("worker.Worker", &words, "worker2.log"),
    ];
    for log in ["worker1.log", "worker2.log"] {
        wait_for(&lab.at(log), "Successfully registered");
    }
    let submit = |master: &str, name: &str, idiolect: &Path, words: &[String]| {
        Command::new(bin.join("spark-submit"))
            .args(["--master", master, "--conf", "spark.executor.memory=512m"])
            .arg(driver(name))
            .args(words)
            .env("IDIOLECT", idiolect)
            .env("PYSPARK_PYTHON", &python)
            .env("SPARK_LOCAL_IP", "127.0.0.1")
            .current_dir(lab.folder.path())
            .output()
            .expect("spark-submit starts")
    };
    // A worker is killed in the middle.
    let killer = lab.treacherous("part-00050", "nothing");
    let output = submit(
        &master,
        "spark_mine.py",
        &killer,
        &lab.words("standalone", PARTS, "7"),
    );
    assert!(output.status.success(), "{}", said(&output));
    assert!(lab.at("killed").exists(), "nobody was killed");
    lab.is_that_of_one_machine("standalone");
    // Of a part that is damaged, the name is said.
    let damager = lab.treacherous("nothing", "part-00012.counts");
    let words = lab.words("damaged", 20, "6");
    let output = submit(&master, "spark_mine.py", &damager, &words);
    assert!(!output.status.success());
    let complaint = "part-00012.counts:2: line 2 is damaged";
    assert!(said(&output).contains(complaint), "{}", said(&output));
    // A cluster that Spark makes for the occasion, and ranges of one file.
    let whole = lab.at("whole.trace").display().to_string();
    let counts = lab.at("local").display().to_string();
    let words = [
        &whole, "--counts", &counts, "--parts", "16", "--", "--api", "socket",
    ];
    let words = words.map(str::to_owned);
    let output = submit(
        "local-cluster[2,1,512]",
        "spark_mine.py",
        Path::new(IDIOLECT),
        &words,
    );
    assert!(output.status.success(), "{}", said(&output));
    lab.is_that_of_one_machine("local");
    let table = lab.jobs();
    let words = ["jobs.jsonl", "results", "--shards", "3"].map(str::to_owned);
    let output = submit(&master, "spark_batch.py", Path::new(IDIOLECT), &words);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        table,
        "{}",
        said(&output)
    );
}

#[test]
fn ray_counts_what_one_machine_counts() {
    if !available_or_skip("python3", "cluster") {
        return;
    }
    let python = install_python(CLUSTER).expect("Ray can be installed");
    let ray = python.with_file_name("ray");
    let lab = Lab::new(12);
    let port = free_port();
    let address = format!("127.0.0.1:{port}");
    // Paths of sockets are short.
    let folder = tempfile::Builder::new()
        .prefix("ray")
        .tempdir_in("/tmp")
        .expect("a folder");
    let node = |words: &[&str], log: &str| {
        let mut command = Command::new(&ray);
        command.args([
            "start",
            "--block",
            "--node-ip-address=127.0.0.1",
            "--num-cpus=1",
        ]);
        command.args([
            "--min-worker-port=0",
            "--max-worker-port=0",
            "--disable-usage-stats",
        ]);
        let server = start(
            command.args(words).current_dir(lab.folder.path()),
            &lab.at(log),
        );
        wait_for(&lab.at(log), "Ray runtime started");
        server
    };
    let head = format!("--port={port}");
    let temp = format!("--temp-dir={}", folder.path().display());
    let _head = node(
        &["--head", &head, "--include-dashboard=false", &temp],
        "head.log",
    );
    let _second = node(&[&format!("--address={address}")], "second.log");
    let run = |name: &str, idiolect: &Path, words: &[String]| {
        Command::new(&python)
            .arg(driver(name))
            .args(words)
            .env("IDIOLECT", idiolect)
            .env("RAY_ADDRESS", &address)
            .current_dir(lab.folder.path())
            .output()
            .expect("Python starts")
    };
    let killer = lab.treacherous("part-00050", "nothing");
    let output = run("ray_mine.py", &killer, &lab.words("counts", PARTS, "9"));
    assert!(output.status.success(), "{}", said(&output));
    assert!(lab.at("killed").exists(), "nobody was killed");
    lab.is_that_of_one_machine("counts");
    let damager = lab.treacherous("nothing", "part-00012.counts");
    let output = run("ray_mine.py", &damager, &lab.words("damaged", 20, "6"));
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said(&output).contains("part-00012.counts:2: line 2 is damaged"),
        "{}",
        said(&output)
    );
    let table = lab.jobs();
    let words = ["jobs.jsonl", "results", "--shards", "3"].map(str::to_owned);
    let output = run("ray_batch.py", Path::new(IDIOLECT), &words);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        table,
        "{}",
        said(&output)
    );
}

/// A controller and a node of this machine, without munge: nobody else is there to be authenticated.
#[test]
fn slurm_counts_what_one_machine_counts() {
    for tool in ["sbatch", "slurmctld", "slurmd"] {
        if !available_or_skip(tool, "cluster") {
            return;
        }
    }
    let lab = Lab::new(13);
    let text = |command: &str| {
        let output = Command::new("sh")
            .args(["-c", command])
            .output()
            .expect("sh starts");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    };
    let (host, user) = (text("hostname -s"), text("id -un"));
    let folder = lab.folder.path().display();
    let conf = format!(
        "ClusterName=local\nSlurmctldHost={host}(127.0.0.1)\nAuthType=auth/none\nCredType=cred/none\n\
         SlurmUser={user}\nSlurmdUser={user}\nSlurmctldPort={}\nSlurmdPort={}\n\
         StateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/spool\n\
         SlurmctldPidFile={folder}/slurmctld.pid\nSlurmdPidFile={folder}/slurmd.pid\n\
         ProctrackType=proctrack/pgid\nTaskPlugin=task/none\nMpiDefault=none\nReturnToService=2\n\
         SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n\
         NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN\n\
         PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP\n",
        free_port(),
        free_port(),
    );
    fs::write(lab.at("slurm.conf"), conf).expect("a file");
    fs::create_dir(lab.at("state")).expect("a folder");
    fs::create_dir(lab.at("spool")).expect("a folder");
    let conf = lab.at("slurm.conf");
    let server = |name: &str| {
        let mut command = Command::new(name);
        command
            .args(["-D", "-f"])
            .arg(&conf)
            .env("SLURM_CONF", &conf);
        start(&mut command, &lab.at(&format!("{name}.log")))
    };
    let _controller = server("slurmctld");
    wait_for(&lab.at("slurmctld.log"), "Running as primary controller");
    let _node = server("slurmd");
    wait_for(&lab.at("slurmd.log"), "slurmd started");
    let sbatch = |words: &[&str]| {
        let output = Command::new("sbatch")
            .args(["--wait", "--output", "task-%a.log"])
            .args(words)
            .env("SLURM_CONF", &conf)
            .env("IDIOLECT", IDIOLECT)
            .current_dir(lab.folder.path())
            .output()
            .expect("sbatch starts");
        assert!(output.status.success(), "{}", said(&output));
    };
    let script = driver("slurm_mine.sh").display().to_string();
    sbatch(&[
        "--array=1-8",
        &script,
        "whole.trace",
        "counts",
        "8",
        "--api",
        "socket",
    ]);
    let parts: Vec<String> = (1..=8).map(|i| format!("counts/part-{i}.counts")).collect();
    let mut words = vec![
        "mine",
        "--api",
        "socket",
        "--counts-only",
        "--write-counts",
        "counts/all.counts",
    ];
    words.push("--add-counts");
    words.extend(parts.iter().map(String::as_str));
    let sum = lab.idiolect(&words);
    assert!(sum.status.success(), "{}", said(&sum));
    lab.is_that_of_one_machine("counts");
    let table = lab.jobs();
    let script = driver("slurm.sh").display().to_string();
    sbatch(&["--array=1-3", &script, "jobs.jsonl", "results", "3"]);
    let words = [
        "batch",
        "merge",
        "results/shard-1.jsonl",
        "results/shard-2.jsonl",
        "results/shard-3.jsonl",
    ];
    let merged = lab.idiolect(&[&words[..], &["--manifest", "jobs.jsonl"]].concat());
    assert_eq!(
        String::from_utf8_lossy(&merged.stdout),
        table,
        "{}",
        said(&merged)
    );
}

#[test]
fn drivers_are_short() {
    let folder = xtask::root().join("contrib/cluster");
    let mut n = 0;
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|e| e == "py" || e == "sh") {
            let lines = fs::read_to_string(&path).expect("a text").lines().count();
            assert!(lines < 150, "{} has {lines} lines", path.display());
            n += 1;
        }
    }
    assert!(n >= 6);
}
