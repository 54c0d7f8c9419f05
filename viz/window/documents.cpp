// Documents of the window: new, open, save as, pictures, closing, drag and drop.

#include "core/base/error.h"
#include "core/trace/document.h"
#include "viz/render/render.h"
#include "viz/window/main_window.h"
#include "viz/window/settings.h"

#include <QCloseEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSplitter>

namespace bubblescope::viz {

void MainWindow::openFiles(const QStringList& addresses)
{
    if (addresses.isEmpty() || !mayDiscard())
        return;
    const RunAddress address = parseRunAddress(addresses.front().toStdString());
    const QString path = QString::fromStdString(address.path);
    m_messages->say({});
    m_workbench.open(path);
    if (QFileInfo::exists(path))
        settings::addRecentFile(QFileInfo(path).absoluteFilePath());
    std::vector<int> numbers;
    for (const QString& text : addresses) {
        const RunAddress other = parseRunAddress(text.toStdString());
        if (other.path != address.path) {
            m_messages->say(tr("One window shows one document: %1 was opened. Start the program again for the others.")
                                .arg(QFileInfo(path).fileName()));
            break;
        }
        if (other.run)
            numbers.push_back(*other.run);
    }
    if (numbers.empty())
        return;
    // The document is opened in the background; its runs are chosen when it is there.
    connect(
        &m_workbench, &Workbench::documentChanged, this,
        [this, numbers] {
            QMetaObject::invokeMethod(
                this, [this, numbers] { m_workbench.setShown(numbers); }, Qt::QueuedConnection);
        },
        Qt::SingleShotConnection);
}

bool MainWindow::mayDiscard()
{
    if (m_execution.running()) {
        m_messages->say(tr("An execution is running. Cancel it first, or wait until it ends."));
        return false;
    }
    if (!m_workbench.unsaved())
        return true;
    QMessageBox box(this);
    box.setObjectName(QStringLiteral("unsavedPrompt"));
    box.setIcon(QMessageBox::Question);
    box.setText(tr("Save this experiment first?"));
    box.setInformativeText(tr("It has no file yet; its runs are lost when it is closed."));
    box.setStandardButtons(QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    box.setDefaultButton(QMessageBox::Save);
    const int answer = box.exec();
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && saveAsDialog());
}

void MainWindow::newDocument()
{
    if (!mayDiscard())
        return;
    m_messages->say({});
    m_workbench.newDocument();
}

void MainWindow::openDialog()
{
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open"), {}, tr("Bubblescope documents (*.bscope);;All files (*)"));
    if (!path.isEmpty())
        openFiles({path});
}

bool MainWindow::saveAs(const QString& path)
{
    if (!m_workbench.saveAs(path))
        return false;
    settings::addRecentFile(m_workbench.path());
    return true;
}

bool MainWindow::saveAsDialog()
{
    QFileDialog dialog(this, tr("Save as"), {}, tr("Bubblescope documents (*.bscope)"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(QStringLiteral("bscope"));
    return dialog.exec() == QDialog::Accepted && saveAs(dialog.selectedFiles().constFirst());
}

void MainWindow::exportPicture()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Export picture"), QStringLiteral("timelines.png"),
                                                      tr("Pictures (*.png *.svg *.pdf)"));
    if (path.isEmpty())
        return;
    RenderOptions options;
    options.dark = currentTheme().dark;
    try {
        viz::render(m_workbench.shownRuns(), path, options);
    } catch (const Error& error) {
        m_messages->say(QString::fromUtf8(error.what()));
    }
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!mayDiscard()) {
        event->ignore();
        return;
    }
    settings::setLayout("window", saveGeometry());
    settings::setLayout("columns", m_columns->saveState());
    settings::setLayout("rows", m_rows->saveState());
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile() && url.toLocalFile().endsWith(QLatin1String(".bscope")))
            event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    QStringList files;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            files << url.toLocalFile();
    event->acceptProposedAction();
    // Later, so that a prompt doesn't hold the other program's drag.
    QMetaObject::invokeMethod(
        this, [this, files] { openFiles(files); }, Qt::QueuedConnection);
}

} // namespace bubblescope::viz
